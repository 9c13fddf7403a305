using System;
using System.IO;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Buffers;
using Transport.Diagnostics;
using Transport.Links;
using Transport.Packets;
using Transport.Receiving;
using Transport.Testing.Clock;
using Transport.Testing.Links;
using Transport.Testing.Wires;
using Transport.Tests.Receiving;
using Transport.Wires;

namespace Transport.Tests.Links;

/// <summary>A wait for room that began in a handler is ended where that handler hangs, and not where another has just begun.</summary>
internal sealed class HandlerWatchTests
{
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(10);

    [Test]
    public async Task AHandlerThatHasJustBegunIsNotBlamed()
    {
        var clock = new ManualClock();
        var wire = new FedWire();
        var began = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var gate = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        PacketRouter router = new PacketRouter().OnRaw(1024, async _ =>
        {
            began.TrySetResult(true);
            await gate.Task;
        });
        router.Freeze();
        var loop = new ReceiveLoop(wire, new SegmentPool(1 << 20), router, new DeafSink(), new LinkCounters(), clock, 1 << 20, new LaneTables(false, false, 1 << 20), new ThreadBudget());
        Task<bool> reading = loop.RunAsync([]);
        var watch = new HandlerWatch(loop, new LinkOptions { Clock = clock, SilenceTimeout = Silence });
        clock.Advance(Silence);
        Assert.DoesNotThrow(watch.ThrowIfStuck, "the loop waits, no handler runs");
        clock.Advance(Silence - TimeSpan.FromSeconds(1));
        wire.Feed(RawFrame.Bytes(2, 1024, [0xc0]));
        await began.Task.Within("the handler");
        clock.Advance(TimeSpan.FromSeconds(1));
        Assert.DoesNotThrow(watch.ThrowIfStuck, "the handler has run for a second");
        clock.Advance(Silence - TimeSpan.FromTicks(1));
        Assert.DoesNotThrow(watch.ThrowIfStuck);
        clock.Advance(TimeSpan.FromTicks(1));
        TransportException? stuck = Assert.Throws<TransportException>(watch.ThrowIfStuck);
        Assert.That(stuck!.Fault, Is.EqualTo(TransportFault.HandlerBlocked));
        gate.SetResult(true);
        wire.Feed([]);
        await reading.Within("the end of the stream");
    }

    /// <summary>Gives what it is fed, one piece a read; an empty one is the end.</summary>
    private sealed class FedWire : IWire
    {
        private readonly object _gate = new();
        private TaskCompletionSource<byte[]> _next = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public string Kind => WireEndpoint.Memory;

        public PeerIdentity Peer { get; } = new(1000, 1000, 4711, true);

        public void Feed(byte[] bytes)
        {
            lock (_gate)
            {
                _next.SetResult(bytes);
            }
        }

        public async ValueTask<int> ReadAsync(byte[] buffer, int offset, int count)
        {
            byte[] bytes = await _next.Task.ConfigureAwait(false);
            lock (_gate)
            {
                _next = new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously);
            }

            bytes.CopyTo(buffer, offset);
            return bytes.Length;
        }

        public void Write(byte[] buffer, int offset, int count) => throw new IOException("nobody reads this");

        public void CompleteWriting()
        {
        }

        public void Abort()
        {
        }

        public void Dispose()
        {
        }
    }
}
