using System;
using Transport.Loads.Workers;

namespace Transport.Loads.Events;

/// <summary>Where the packets of several threads go: checks the order of each thread's, and every byte.</summary>
internal sealed class MixedSink : LoadSink
{
    private readonly uint[] _next = new uint[MixedJob.Producers];
    private readonly byte[] _template = MixedBody.Make();

    /// <summary>Gets the bytes that have come.</summary>
    public long Bytes { get; private set; }

    public void Take(ReadOnlySpan<byte> body)
    {
        if (!MixedBody.TryRead(body, _template, out int producer, out uint number) || producer >= _next.Length
            || number != _next[producer]++)
        {
            Fail($"A packet of thread {producer} came out of order or changed on its way.");
        }

        Bytes += body.Length;
        Came();
    }
}
