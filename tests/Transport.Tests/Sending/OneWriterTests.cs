using System;
using System.Buffers;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Buffers;
using Transport.Testing.Links;
using Transport.Testing.Wires;
using Transport.Testing.Sending;

namespace Transport.Tests.Sending;

/// <summary>
/// Threads that meet and queue at the same moment, over a wire that takes each write in pieces: what one of them queued must never stand
/// inside a packet of another. An earlier send loop let callers write; a segment of which the wire had taken one half was then overtaken in
/// every run of this test.
/// </summary>
internal sealed class OneWriterTests
{
    private static readonly int Meetings = Nightly.Rounds(nightly: 3_000, otherwise: 1_500);

    private static readonly PacketType<byte> Type = new(1024, "Filled", new FilledFormatter());

    /// <summary>Every way in which a packet gets into the queue while the link is open.</summary>
    public enum Way
    {
        TrySend,
        TrySendUrgent,
        TrySendRaw,
        Acknowledge,
        Ping,
        SetLevel,
    }

    /// <summary>Every way in which a direction ends.</summary>
    public enum Ending
    {
        Complete,
        Answer,
        BreakWithGoodbye,
        Break,
    }

    [Test]
    public async Task A_packet_holds_only_its_own_bytes_whichever_way_another_thread_queues_at_the_same_moment([Values] Way way)
    {
        using var rig = new Rig();
        int met = 0;
        await Task.WhenAll(Thread(0x11, Way.TrySend), Thread(0x22, way)).Within("the threads that meet");
        await rig.EndAsync(Ending.Complete);
        List<RawFrame> frames = rig.Judge();
        int packets = way is Way.TrySend or Way.TrySendUrgent or Way.TrySendRaw ? 2 * Meetings : Meetings;
        Assert.That(frames.Count(f => f.Lane != 0), Is.EqualTo(packets), "each packet was written once");
        Assert.That(frames[frames.Count - 1].Type, Is.EqualTo(RawPeer.Goodbye));

        Task Thread(byte mine, Way how) => WireReading.OnThread(() =>
        {
            for (int i = 0; i < Meetings; i++)
            {
                Interlocked.Increment(ref met);
                SpinWait.SpinUntil(() => Volatile.Read(ref met) >= 2 * (i + 1));
                _ = rig.Queue(how, mine, i);
                Spin();
            }
        });
    }

    [Test]
    public async Task A_packet_holds_only_its_own_bytes_whichever_way_the_direction_ends_at_the_same_moment([Values] Ending ending)
    {
        for (int round = 0; round < 200; round++)
        {
            using var rig = new Rig();
            using var start = new Barrier(3);
            Task[] senders =
            [
                .. new byte[] { 0x11, 0x22 }.Select(mine => WireReading.OnThread(() =>
                {
                    start.SignalAndWait();
                    while (rig.Queue(Way.TrySend, mine, 0) == SendResult.Queued)
                    {
                        Spin();
                    }
                })),
            ];
            start.SignalAndWait();
            System.Threading.Thread.SpinWait(20 * round);
            await rig.EndAsync(ending);
            await Task.WhenAll(senders).Within("the senders");
            List<RawFrame> frames = rig.Judge();
            int goodbyes = frames.Count(f => f.Type == RawPeer.Goodbye && f.Lane == 0);
            Assert.That(goodbyes, Is.EqualTo(ending == Ending.Break ? 0 : 1));
            Assert.That(frames.Count(f => f.Lane != 0) + rig.Dropped, Is.EqualTo(rig.Queued),
                $"round {round}: each packet is written once, or given up and counted");
        }
    }

    /// <summary>Long enough for the loop to have begun its write, or to have just ended it, when the next packet comes.</summary>
    private static void Spin()
    {
        long until = Stopwatch.GetTimestamp() + (Stopwatch.Frequency * 60 / 1_000_000);
        while (Stopwatch.GetTimestamp() < until)
        {
            // On purpose without yielding.
        }
    }

    /// <summary>A queue, its loop and a wire in pieces.</summary>
    private sealed class Rig : IDisposable
    {
        private readonly AccusingPool _pool = new();
        private readonly PiecewiseWire _wire = new();
        private readonly SendQueue _queue;
        private readonly SendSignal _signal;
        private readonly SendPump _loop;
        private long _queued;

        public Rig()
        {
            var counters = new LinkCounters();
            _signal = new SendSignal(counters);
            _queue = Queues.Make(_pool, 64 << 20, counters, _signal);
            _loop = new SendPump(_queue, _signal, _wire, new WriteEvents());
            _loop.Start(PumpThread.TryStart("test send")!);
        }

        public long Queued => Interlocked.Read(ref _queued);

        public long Dropped => _queue.Dropped().Packets;

        public SendResult Queue(Way way, byte mine, int number)
        {
            switch (way)
            {
                case Way.TrySend:
                case Way.TrySendUrgent:
                    Lane lane = way == Way.TrySend ? Lane.Normal : Lane.Urgent;
                    return Count(_queue.TrySend(new TypedBody<byte>(Type, mine), lane, LanePolicy.Refuse).Result);
                case Way.TrySendRaw:
                    var raw = new MemoryBody(Type.Id, Enumerable.Repeat(mine, FilledFormatter.Size).ToArray());
                    return Count(_queue.TrySend(raw, Lane.Normal, LanePolicy.Refuse).Result);
                case Way.Acknowledge:
                    _queue.Control.Acknowledge(number + 1);
                    break;
                case Way.Ping:
                    _queue.Control.TrySend(ControlType.Ping, output => ControlBody.WritePing(output, number, 0));
                    break;
                default:
                    _queue.Control.SetLevel(new LevelRules((PacketLevel)(number % 7)));
                    break;
            }

            return SendResult.Queued;
        }

        public async Task EndAsync(Ending ending)
        {
            switch (ending)
            {
                case Ending.Complete:
                    _queue.Complete("done");
                    break;
                case Ending.Answer:
                    _queue.Answer(1);
                    break;
                case Ending.BreakWithGoodbye:
                    _queue.Break(FaultNames.ToReason(TransportFault.FrameCorrupt));
                    break;
                default:
                    _queue.Break(goodbyeReason: null);
                    break;
            }

            if (ending != Ending.Break)
            {
                Assert.That(
                    await Task.Run(() => SpinWait.SpinUntil(() => _queue.Control.IsGoodbyeWritten, WithinExtensions.Bound)), Is.True,
                    "Goodbye is written");
            }

            _queue.Break(goodbyeReason: null);
            _signal.End();
            await _loop.Completion.Within("the loop's end");
        }

        /// <summary>Parses what was written.</summary>
        public List<RawFrame> Judge()
        {
            Assert.That(_wire.IsShared, Is.False, "two threads wrote at once");
            List<RawFrame> frames = RawFrame.ParseAll(_wire.Bytes());
            int mixed = frames.FindIndex(f => f.Lane != 0 && (f.Body.Length != FilledFormatter.Size || f.Body.Any(b => b != f.Body[0])));
            Assert.That(mixed, Is.EqualTo(-1), "the first packet that holds bytes of another");
            _pool.Judge("queue's");
            return frames;
        }

        public void Dispose() => _wire.Dispose();

        private SendResult Count(SendResult result)
        {
            if (result == SendResult.Queued)
            {
                Interlocked.Increment(ref _queued);
            }

            return result;
        }
    }

    private sealed class FilledFormatter : IPacketFormatter<byte>
    {
        public const int Size = 200;

        public void Write(IBufferWriter<byte> output, byte packet)
        {
            output.GetSpan(Size).Slice(0, Size).Fill(packet);
            output.Advance(Size);
        }

        public byte Read(in ReadOnlySequence<byte> body) => throw new NotSupportedException();
    }
}
