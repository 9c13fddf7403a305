using System;
using System.Buffers;
using System.Collections.Generic;
using Transport.Fuzz.Inputs;
using Transport.Logging;
using Transport.Testing.Links;

namespace Transport.Fuzz.Targets;

/// <summary>A receiver's tables: bounded whatever comes; and a packet reads the same by its references as written out.</summary>
internal sealed class TablesTarget : FuzzTarget
{
    private const int MaxPacket = 64 << 10;

    private static readonly TransportFault[] Malformed = [TransportFault.PacketMalformed];
    private static readonly TransportFault[] Allowed = [TransportFault.PacketMalformed, TransportFault.PacketTooLarge];

    public override string Name => "tables";

    public override int Share => 100;

    public override bool TakesFrames => true;

    public override IEnumerable<byte[]> Seeds() => [.. Streams.All(), .. Golden.Of(Name)];

    public override ulong Run(byte[] input)
    {
        var tables = new LaneTables(new TableCaps(true, true, true), MaxPacket);
        ulong print = 0;
        for (int at = 0; at + 10 < input.Length;)
        {
            int length = Math.Min((input[at + 8] << 8) | input[at + 9], input.Length - at - 10);
            var packet = new RawPacket((ushort)((input[at + 3] << 8) | input[at + 4]), (Lane)(1 + (input[at + 1] % 3)),
                input.AsMemory(at + 10, length));
            at += 10 + length;
            if (length == 0)
            {
                continue;
            }

            PacketLease lease = packet.Lease();
            Allocation allocation = Allocation.Begin();
            TransportException? fault = Faults.Of(Malformed, () => Take(tables, lease.Packet));
            allocation.Check(length * 4L, $"taking a packet of type {packet.Type}", more: MaxPacket * 12);
            print = (print * 31) + Faults.Print(fault) + packet.Type;
            if (fault is not null)
            {
                break;   // the link ends
            }
        }

        return print;
    }

    private static void Take(LaneTables tables, RawPacket packet)
    {
        packet = tables.Checked(packet);
        if (TableTypes.IsOne(packet.Type))
        {
            tables.Take(packet);
            (int texts, long textBytes, int maps, long mapBytes) = tables.Of(packet.Lane)!.Held;
            FuzzFailure.Unless(texts <= TableTypes.MaxIds && maps <= TableTypes.MaxIds && textBytes is >= 0 and <= TableTypes.MaxBytes
                && mapBytes is >= 0 and <= TableTypes.MaxBytes,
                $"a table of {texts} texts, {textBytes} bytes, {maps} maps, {mapBytes} bytes");
        }
        else if (packet.Type == LogEvent.PacketType.Id)
        {
            Compare(packet, LogEvent.PacketType);
        }
        else if (packet.Type == Words.Type.Id || (packet.Type == Words.Application.Id && packet.HasReferences))
        {
            Compare(packet, Words.Type);
        }
        else if (packet.Type == Mapped.PacketType.Id)
        {
            Compare(packet, Mapped.PacketType);
        }
        else
        {
            PacketLease other = packet.Lease();
            Faults.Of(Allowed, () => MessagePackValue.Check(other.Packet.Body));
        }
    }

    private static void Compare<T>(RawPacket packet, PacketType<T> type)
    {
        byte[] followed = [], written = [];
        PacketLease lease = packet.Lease();
        TransportException? fault = Faults.Of(Malformed, () => followed = Packetry.Written(type, lease.Packet.Read(type)));
        TransportException? other = Faults.Of(Allowed, () =>
        {
            ReadOnlyMemory<byte> body = lease.Body;
            FuzzFailure.Unless(!lease.Packet.HasReferences || body.Length <= MaxPacket, $"written out a packet has {body.Length} bytes");
            written = Packetry.Written(type, type.Formatter.Read(new ReadOnlySequence<byte>(body)));
        });
        bool isLimit = other?.Fault == TransportFault.PacketTooLarge || other?.Message.Contains("nested") == true
            || other?.Message.Contains("characters") == true || fault?.Message.Contains("in one packet") == true;
        FuzzFailure.Unless(isLimit || (fault is null) == (other is null),
            $"by references: {fault?.Message ?? "valid"}; written out: {other?.Message ?? "valid"}");
        FuzzFailure.Unless(isLimit || followed.AsSpan().SequenceEqual(written), "written out it is another packet");
    }
}
