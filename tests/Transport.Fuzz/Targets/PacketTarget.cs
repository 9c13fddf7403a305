using System;
using System.Buffers;
using System.Collections.Generic;
using Transport.Fuzz.Inputs;

namespace Transport.Fuzz.Targets;

/// <summary>The formatter of one packet: reads what the link would give it, and what it has read comes back from what it writes.</summary>
internal sealed class PacketTarget<T>(PacketType<T> type, int share, params byte[][] seeds) : FuzzTarget
{
    private static readonly TransportFault[] Allowed = [TransportFault.PacketMalformed];

    public override string Name => "packet:" + type.Name;

    public override int Share => share;

    public override IEnumerable<byte[]> Seeds() => [.. seeds, .. Golden.Of(Name)];

    public override ulong Run(byte[] input)
    {
        TransportException? check = Faults.Of(Allowed, () => MessagePackValue.Check(input));
        if (check is not null && !type.ValidatesBody)
        {
            return Faults.Print(check);   // the link's own check is before it
        }

        T packet = default!;
        Allocation allocation = Allocation.Begin();
        TransportException? fault = Faults.Of(Allowed, () => packet = type.Formatter.Read(new ReadOnlySequence<byte>(input)));
        allocation.Check(input.Length, $"reading {type}");
        FuzzFailure.Unless(check is null || fault is not null, $"{type} was read from what is no value: {check?.Message}");
        byte[]? written = fault is null ? Write(packet) : null;
        CompareInPieces(input, written, fault);
        if (written is not null)
        {
            byte[] again = Write(type.Formatter.Read(new ReadOnlySequence<byte>(written)));
            FuzzFailure.Unless(written.AsSpan().SequenceEqual(again), $"{type}: what was read and written reads as another");
            return (ulong)Shape(written);
        }

        return Faults.Print(fault);
    }

    /// <summary>The kinds of the values at the beginning of a body.</summary>
    private static long Shape(byte[] body)
    {
        Fingerprint print = default;
        for (int at = 0, tokens = 0; at < body.Length && tokens < 14; tokens++)
        {
            print.Add((long)MessagePackCode.KindOf(body[at]));
            at = MessagePackValue.EndOfToken(body, at);
        }

        return (long)print.Value;
    }

    private void CompareInPieces(byte[] input, byte[]? written, TransportException? fault)
    {
        T packet = default!;
        TransportException? other = Faults.Of(Allowed, () => packet = type.Formatter.Read(Pieces.Of(input)));
        FuzzFailure.Unless(other?.Message == fault?.Message,
            $"{type} in two segments: {other?.Message ?? "valid"}; in one: {fault?.Message ?? "valid"}");
        FuzzFailure.Unless(written is null || Write(packet).AsSpan().SequenceEqual(written), $"{type} in two segments is another packet");
    }

    private byte[] Write(T packet)
    {
        var output = new ArrayWriter();
        type.Formatter.Write(output, packet);
        byte[] written = output.Written.ToArray();
        MessagePackValue.Check(written);
        return written;
    }
}
