using System;
using System.Buffers.Binary;
using Transport.Loads.Workers;

namespace Transport.Loads.Events;

/// <summary>Where the packets of several threads go: checks the order of each thread's.</summary>
internal sealed class MixedSink : LoadSink
{
    private readonly uint[] _next = new uint[MixedJob.Producers];

    /// <summary>Gets the bytes that have come.</summary>
    public long Bytes { get; private set; }

    public void Take(ReadOnlySpan<byte> body)
    {
        int producer = body[MixedJob.StampAt];
        uint number = BinaryPrimitives.ReadUInt32BigEndian(body[(MixedJob.StampAt + 1)..]);
        if (producer >= _next.Length || number != _next[producer]++ || BinaryPrimitives.ReadInt32BigEndian(body[1..]) != body.Length - 5)
        {
            Fail($"A packet of thread {producer} came out of order or changed on its way.");
        }

        Bytes += body.Length;
        Came();
    }
}
