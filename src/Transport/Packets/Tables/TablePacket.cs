using System;
using System.Buffers;

namespace Transport.Packets.Tables;

/// <summary>The packet at hand of one lane, as a sequence that a <see cref="MessagePackReader"/> recognizes: its references can be followed. One object for all packets of the lane.</summary>
internal sealed class TablePacket(ReceiveTables tables, int maxPacket) : ReadOnlySequenceSegment<byte>
{
    /// <summary>What is kept from packet to packet for writing bodies out.</summary>
    private const int MostKept = 64 << 10;

    private ArrayWriter? _expanded;

    public ReceiveTables Tables => tables;

    /// <summary>Gets the packet's body as it came.</summary>
    public ReadOnlySequence<byte> Sequence => new(this, 0, this, Memory.Length);

    /// <summary>Holds a packet until the next.</summary>
    public TablePacket Hold(ReadOnlyMemory<byte> body)
    {
        Memory = body;
        Fault = null;
        _expanded = _expanded is { Array.Length: <= MostKept } ? _expanded : null;
        _expanded?.Clear();
        return this;
    }

    /// <summary>Gets what <see cref="Expand"/> threw last: a fault of the packet, also where a handler lets it pass.</summary>
    public TransportException? Fault { get; private set; }

    /// <summary>Gives the body with every reference written out.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>: it would be larger than any packet may be. <see cref="TransportFault.PacketMalformed"/>: it would be nested too deep.</exception>
    public ReadOnlyMemory<byte> Expand()
    {
        try
        {
            return WrittenOut();
        }
        catch (TransportException fault)
        {
            Fault = fault;
            throw;
        }
    }

    private ReadOnlyMemory<byte> WrittenOut()
    {
        if (_expanded is null || _expanded.Length == 0)
        {
            // Measured first: three bytes may stand for a map of megabytes, and what is too large then costs no memory.
            int size = (int)Measure(Memory.Span, tables, 0);
            _expanded = _expanded is { } kept && kept.Array.Length >= size ? kept : new ArrayWriter(Math.Max(size, 1024));
            var writer = new MessagePackWriter(_expanded);
            bool hasMaps = Write(ref writer, Memory.Span, tables);
            writer.Flush();
            if (hasMaps)
            {
                MessagePackValue.Check(_expanded.Written);   // a map may be nested as deep as a packet, and stand deep in one
            }
        }

        return _expanded.Array.AsMemory(0, _expanded.Length);
    }

    private bool Write(ref MessagePackWriter writer, ReadOnlySpan<byte> body, TableSource source)
    {
        bool hasMaps = false;
        int copied = 0;
        for (int at = 0; at < body.Length;)
        {
            int end = MessagePackValue.EndOfToken(body, at);
            if (TableRef.TryRead(body, at, out TableRef reference))
            {
                writer.WriteRaw(body.Slice(copied, at - copied));
                copied = end;
                if (reference.Type == TableTypes.StringRef)
                {
                    writer.WriteString(Text(at, source, reference));
                }
                else
                {
                    WriteMap(ref writer, Map(at, source, reference));
                    hasMaps = true;
                }
            }

            at = end;
        }

        writer.WriteRaw(body.Slice(copied));
        return hasMaps;
    }

    private void WriteMap(ref MessagePackWriter writer, TableMap map)
    {
        if (map.WrittenOut is { } bytes)
        {
            writer.WriteRaw(bytes);
            return;
        }

        writer.Flush();
        int start = _expanded!.Length;
        Write(ref writer, map.Body, map);
        writer.Flush();
        if (map.IsUsed)
        {
            tables.TryKeep(map, _expanded.Written.Slice(start));
        }

        map.IsUsed = true;
    }

    private static string Text(int at, TableSource source, in TableRef reference) => source.TextOf(reference.Id) ?? throw TableSource.Unset(at, reference);

    private static TableMap Map(int at, TableSource source, in TableRef reference) => source.MapOf(reference.Id) ?? throw TableSource.Unset(at, reference);

    private static int SizeOf(string text)
    {
        int bytes = Utf8.Count(text.AsSpan());
        return bytes + (bytes < 32 ? 1 : bytes <= byte.MaxValue ? 2 : bytes <= ushort.MaxValue ? 3 : 5);
    }

    /// <summary>Adds up what the body takes written out; gives up where that is too much, so that it takes no longer than as many bytes would.</summary>
    private long Measure(ReadOnlySpan<byte> body, TableSource source, long before)
    {
        long size = before + body.Length;
        for (int at = 0; at < body.Length;)
        {
            int end = MessagePackValue.EndOfToken(body, at);
            if (TableRef.TryRead(body, at, out TableRef reference))
            {
                size -= end - at;
                if (reference.Type == TableTypes.StringRef)
                {
                    size += SizeOf(Text(at, source, reference));
                }
                else
                {
                    TableMap map = Map(at, source, reference);
                    size = map.WrittenOut is { } bytes ? size + bytes.Length : Measure(map.Body, map, size);
                }

                ExpectRoom(size);
            }

            at = end;
        }

        return size;
    }

    private void ExpectRoom(long size)
    {
        if (size > maxPacket)
        {
            throw new TransportException(
                TransportFault.PacketTooLarge,
                $"A packet with references to its lane's tables has, written out, more than {maxPacket} bytes (LinkOptions.MaxPacketBytes): read it by its type, or take its bytes as they came (RawPacket.Encoded).");
        }
    }
}
