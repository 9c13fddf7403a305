using System;
using System.Threading;
using System.Threading.Tasks;
using Transport.Fuzz.Inputs;

namespace Transport.Fuzz.Targets;

/// <summary>What both sides of the handshake share here: the golden Hello's secret, and a clock that stands still.</summary>
internal static class HandshakeOptions
{
    /// <summary>Gets the secret 00, 01 … 1f.</summary>
    public static byte[] Secret { get; } = Golden.Hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");

    public static LinkOptions Fill(LinkOptions options)
    {
        (options.Node, options.TimeProvider) = ("main", new StillClock());
        return options;
    }

    private sealed class StillClock : TimeProvider
    {
        public override long GetTimestamp() => 1;

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) => new NoTimer();
    }

    private sealed class NoTimer : ITimer
    {
        public bool Change(TimeSpan dueTime, TimeSpan period) => true;

        public void Dispose()
        {
        }

        public ValueTask DisposeAsync() => default;
    }
}
