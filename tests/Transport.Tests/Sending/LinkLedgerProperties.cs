using System;
using System.Linq;
using System.Threading.Tasks;
using FsCheck;
using FsCheck.Fluent;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Tests.Sending;

/// <summary>The same book kept by both ends of a link: both directions full, handlers that send, any policy, either side closing.</summary>
internal sealed class LinkLedgerProperties
{
    [Test]
    public void After_a_clean_end_sent_is_received_is_acknowledged_and_drops_are_exact_by_level()
    {
        ulong seed = (ulong)Guid.NewGuid().GetHashCode();
        TestContext.Out.WriteLine($"seed {seed}");
        Property property = Prop.ForAll(
            Arb.From(Gen.Choose(0, int.MaxValue)), number => Task.Run(() => RunAsync(number)).GetAwaiter().GetResult());
        property.Check(Config.QuickThrowOnFailure.WithMaxTest(25).WithReplay(seed, 1));
    }

    private static async Task<bool> RunAsync(int seed)
    {
        var dice = new Random(seed);
        void Options(LinkOptions options) =>
            (options.MaxQueuedBytes, options.NormalPolicy, options.BulkPolicy) =
                ((64 << 10) << dice.Next(4), (LanePolicy)dice.Next(2), (LanePolicy)dice.Next(2));

        LinkRig rig = await LinkRig.OpenAsync(WireKinds.Memory, Options, Options);
        var main = new Side(rig.Main, dice.Next());
        var worker = new Side(rig.Worker, dice.Next());
        rig.Main.Start(main.Router());
        rig.Worker.Start(worker.Router());
        await Task.WhenAll(main.SendAsync(), worker.SendAsync()).Within($"all sends, seed {seed}");
        if (dice.Next(2) == 0)
        {
            _ = rig.Main.CloseAsync();
        }
        else
        {
            _ = rig.Worker.CloseAsync();
        }

        LinkEnd mainEnd = await rig.Main.Completion.Within($"the main node's end, seed {seed}");
        LinkEnd workerEnd = await rig.Worker.Completion.Within($"the worker's end, seed {seed}");
        await rig.DisposeAsync();
        string? wrong = main.Compare(mainEnd, workerEnd) ?? worker.Compare(workerEnd, mainEnd);
        return wrong is null ? true : throw new InvalidOperationException(wrong);
    }

    /// <summary>One side: three producers, and a handler that now and then answers, without waiting for capacity.</summary>
    private sealed class Side(Link link, int seed)
    {
        private readonly object _gate = new();
        private readonly long[] _dropped = new long[7];
        private long _offered;
        private long _queued;
        private long _refused;
        private long _closed;

        public PacketRouter Router()
        {
            var dice = new Random(seed);
            return new PacketRouter().On(TestPackets.Numbered, (packet, _) =>
            {
                if (packet.Number >= 0 && dice.Next(4) == 0)
                {
                    Answer(dice, new Numbered(dice.Next(6), -1, new byte[dice.Next(3_000)]));
                }
            });
        }

        public Task SendAsync() => Task.WhenAll(Enumerable.Range(0, 3).Select(p => Task.Run(() => ProduceAsync(new Random(seed + p)))));

        /// <returns>What is wrong, or null.</returns>
        public string? Compare(LinkEnd own, LinkEnd other)
        {
            lock (_gate)
            {
                long dropped = _dropped.Sum();
                long[] reported = [.. Enumerable.Range(0, 7).Select(
                    level => other.Receipt.PeerDroppedByLevel.TryGetValue((PacketLevel)level, out long n) ? n : 0)];
                bool exact = own.IsClean && other.IsClean
                    && _offered == _queued + _refused + dropped + _closed
                    && _queued == own.Receipt.Sent && _queued == own.Receipt.Acknowledged && _queued == other.Receipt.Received
                        && _queued == other.Receipt.PeerSent
                    && dropped == own.Receipt.Dropped && dropped == other.Receipt.PeerDropped && reported.SequenceEqual(_dropped);
                return exact ? null
                    : $"seed {seed}: offered {_offered}, queued {_queued}, refused {_refused}, closed {_closed}, dropped "
                        + $"{string.Join(" ", _dropped)}; {own}, {own.Receipt}; {other}, {other.Receipt}, "
                        + $"reported {string.Join(" ", reported)}";
            }
        }

        private async Task ProduceAsync(Random dice)
        {
            for (int i = 0; i < 150; i++)
            {
                var packet = new Numbered(dice.Next(6), i, new byte[dice.Next(20) == 0 ? dice.Next(100_000) : dice.Next(4_000)]);
                if (dice.Next(3) == 0)
                {
                    Count(await link.SendAsync(TestPackets.Numbered, packet, (Lane)dice.Next(1, 4)), packet, drops: false);
                }
                else
                {
                    Answer(dice, packet);
                }
            }
        }

        private void Answer(Random dice, Numbered packet)
        {
            var lane = (Lane)dice.Next(1, 4);
            LanePolicy policy = (LanePolicy)dice.Next(2);
            Count(link.TrySend(TestPackets.Numbered, packet, lane, policy), packet, policy == LanePolicy.Drop);
        }

        private void Count(SendResult result, Numbered packet, bool drops)
        {
            lock (_gate)
            {
                _offered++;
                switch (result)
                {
                    case SendResult.Queued:
                        _queued++;
                        break;
                    case SendResult.Closed:
                        _closed++;
                        break;
                    default:
                        _dropped[packet.Sender] += drops ? 1 : 0;
                        _refused += drops ? 0 : 1;
                        break;
                }
            }
        }
    }
}
