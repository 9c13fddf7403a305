using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Chaos.Days;

/// <summary>Links whose handlers throw, are slow and hang, packets that nobody handles, and every way to end.</summary>
internal sealed class HandlerDay(int seed, string folder) : IDay
{
    private const int CloseMs = 2500, PatienceMs = 3500, Hang = 4000;

    private readonly Random _random = new(seed);
    private readonly LanePolicy _policy = seed % 3 == 0 ? LanePolicy.Drop : LanePolicy.Refuse;

    public async Task RunAsync()
    {
        int links = _random.Next(1, 5), most = _random.Next(10, 600);
        bool ends = _random.Next(2) == 0;
        (int throws, int hangs) = (_random.Next(3) == 0 ? 5 : 0, _random.Next(8) == 0 ? 2 : 0);   // of a thousand
        long queued = (64 << 10) << _random.Next(4);
        LinkOptions Options(string node) => new()
        {
            Node = node,
            MaxQueuedBytes = queued,
            MaxPacketBytes = 64 << 10,
            CloseTimeout = TimeSpan.FromMilliseconds(CloseMs),
            EndOnHandlerFailure = ends,
            NormalPolicy = _policy,
            Heartbeat = { PingInterval = TimeSpan.FromMilliseconds(100), SilenceTimeout = TimeSpan.FromMilliseconds(PatienceMs) },
        };
        await using LinkListener listener = LinkListener.Start(WireKind.UnixSocket, Options("main"));
        Facts[] near = [.. Enumerable.Range(0, links).Select(i => new Facts(folder, FormattableString.Invariant($"near{i}")))];
        Facts[] far = [.. Enumerable.Range(0, links).Select(i => new Facts(folder, FormattableString.Invariant($"far{i}")))];
        (Link Near, Link Far)[] pairs = await LinkPairs.ConnectAsync(
            links, listener, Options, i => Router(near[i], throws, hangs), i => Router(far[i], throws, hangs));
        await Task.WhenAll(
            Enumerable.Range(0, links).Select(i => PlayAsync(pairs[i].Near, near[i], pairs[i].Far, far[i], most, ends)));
        foreach (Facts facts in near.Concat(far))
        {
            facts.Dispose();
        }
    }

    private PacketRouter Router(Facts facts, int throws, int hangs)
    {
        var random = new Random(_random.Next());
        int slow = _random.Next(4) == 0 ? 5 : 0;
        return new PacketRouter().OnRaw(Senders.Type, packet => HandleAsync(packet.Lease()));

        async Task HandleAsync(PacketLease packet)
        {
            (int producer, int number) = Senders.Read(packet.Packet.Body);
            int dice = random.Next(1000);
            if (dice < throws)
            {
                facts.Note($"threw {producer} {number}");
                throw new InvalidOperationException(FormattableString.Invariant($"number {number}"));
            }

            if (dice >= 1000 - hangs)
            {
                int ms = random.Next(2) == 0 ? Hang : 200;
                facts.Note($"hangs {producer} {number} {ms}");
                await Task.Delay(ms);
            }
            else if (dice % 20 < slow)
            {
                await Task.Delay(random.Next(3));
            }

            facts.Note($"handled {producer} {number}");
        }
    }

    private async Task PlayAsync(Link near, Facts nearFacts, Link far, Facts farFacts, int most, bool ends)
    {
        int one, two, end, way, wait;
        lock (_random)
        {
            (one, two, end, way, wait) = (_random.Next(), _random.Next(), _random.Next(150), _random.Next(8), _random.Next());
        }

        nearFacts.Note($"policy {ends} {way} {_policy}");
        Task sending = Task.WhenAll(
            Task.Run(() => new Senders(near, nearFacts, 0, one, 4 << 10, strangers: 3).RunAsync(most, CancellationToken.None)),
            Task.Run(() => new Senders(far, farFacts, 0, two, 4 << 10, strangers: 3).RunAsync(most, CancellationToken.None)));
        Task asking = Task.WhenAll(LinkDays.AskAsync(near, nearFacts, wait), LinkDays.AskAsync(far, farFacts, wait + 1));
        await LinkDays.EndBothAsync((near, nearFacts), (far, farFacts), way, end, CloseMs, sending, asking);
    }
}
