using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Chaos.Days;

/// <summary>Links whose packets are read by loops of the program: slow ones, ones that hang, make requests or are left, over one link and
/// over several, and every way to end.</summary>
internal sealed class LoopDay(int seed, string folder) : IDay
{
    private const int CloseMs = 2500, PatienceMs = 3500, Hang = 4000, RequestMs = 200;

    private readonly Random _random = new(seed);
    private readonly Dictionary<string, Facts> _near = [];   // filled before a link is made, by the node's name
    private PacketRouter? _shared;

    public async Task RunAsync()
    {
        int links = _random.Next(1, 5), most = _random.Next(10, 400);
        bool isShared = _random.Next(2) == 0;
        long queued = (64 << 10) << _random.Next(4);
        LinkOptions Options(string node) => new()
        {
            Node = node,
            MaxQueuedBytes = queued,
            MaxPacketBytes = 64 << 10,
            CloseTimeout = TimeSpan.FromMilliseconds(CloseMs),
            Heartbeat = { PingInterval = TimeSpan.FromMilliseconds(100), SilenceTimeout = TimeSpan.FromMilliseconds(PatienceMs) },
        };
        await using LinkListener listener = LinkListener.Start(WireKind.UnixSocket, Options("main"));
        Facts[] far = [.. Enumerable.Range(0, links).Select(i => new Facts(folder, FormattableString.Invariant($"far{i}")))];
        for (int i = 0; i < links; i++)
        {
            _near[FormattableString.Invariant($"w{i}")] = new Facts(folder, FormattableString.Invariant($"near{i}"));
        }

        using var notes = new Facts(folder, "loops");
        List<Task> loops = [];
        (Link Near, Link Far)[] pairs = await LinkPairs.ConnectAsync(
            links, listener, Options,
            i => isShared ? _shared ??= Router(notes, loops, -1) : Router(notes, loops, i),
            i => new PacketRouter().OnRequest<Ask, Told>(static async (ask, context) =>
            {
                await Task.Delay(ask.Ms, context.CancellationToken);
                return new Told(ask.Id, 0);
            }));
        await Task.WhenAll(Enumerable.Range(0, links).Select(
            i => PlayAsync(pairs[i].Near, _near[FormattableString.Invariant($"w{i}")], pairs[i].Far, far[i], most)));
        notes.Note($"begin loops 6000");   // a body that hangs, and what is left behind it
        await Task.WhenAll(loops);
        notes.Note($"end loops");
        foreach (Facts facts in far.Concat(_near.Values))
        {
            facts.Dispose();
        }
    }

    /// <summary>Makes a router with a loop over one type and a loop, a handler or nobody for the other, and begins the loops.</summary>
    private PacketRouter Router(Facts notes, List<Task> loops, int link)
    {
        var router = new PacketRouter();
        Begin(Senders.Type);
        switch (_random.Next(3))
        {
            case 0:
                Begin(Senders.Stranger);
                break;
            case 1:
                _ = router.OnRaw(Senders.Stranger, Handle);
                break;
        }

        return router;

        void Handle(RawPacket packet)
        {
            (int producer, int number) = Senders.Read(packet.Body);
            _near[packet.Context.Node].Note($"done {producer} {number} {Senders.Stranger}");
        }

        void Begin(ushort type)
        {
            int capacity = _random.Next(3) == 0 ? _random.Next(1, 4) : _random.Next(1, 300);
            var leaving = new CancellationTokenSource();
            var packets = router.ReadAllWithContextAsync(
                new PacketType<byte[]>(type, "Numbered", RawFormatter.Instance), capacity, leaving.Token);
            int choices = _random.Next();
            notes.Note($"loop {link} {type} {capacity}");
            loops.Add(Task.Run(() => LoopAsync(packets, notes, link, type, new Random(choices), leaving)));
        }
    }

    private async Task LoopAsync(
        IAsyncEnumerable<(byte[] Packet, PacketContext Context)> packets, Facts notes, int link, ushort type, Random random,
        CancellationTokenSource leaving)
    {
        int leavesAt = random.Next(4) == 0 ? random.Next(1, 300) : int.MaxValue, way = random.Next(3);
        int slow = random.Next(4) == 0 ? 5 : 0, hangs = random.Next(6) == 0 ? 3 : 0, asks = random.Next(2) == 0 ? 20 : 0;
        await Task.Delay(random.Next(3) == 0 ? random.Next(50) : 0, CancellationToken.None);
        int taken = 0;
        string how = "ended";
        using var _ = leaving;
        try
        {
            await foreach ((byte[] packet, PacketContext context) in packets)
            {
                (int producer, int number) = Senders.Read(packet);
                Facts facts = _near[context.Node];
                facts.Note($"took {producer} {number} {type}");
                await WorkAsync(notes, context, FormattableString.Invariant($"{context.Node}-{type}-{number}"), random, slow, hangs, asks);
                facts.Note($"done {producer} {number} {type}");
                if (++taken >= leavesAt)
                {
                    notes.Note($"leaves {link} {type}");
                    how = "left";
                    if (way == 0)
                    {
                        break;
                    }
                    else if (way == 1)
                    {
                        throw new InvalidOperationException("enough");
                    }

                    await leaving.CancelAsync();
                }
            }
        }
        catch (InvalidOperationException) when (how == "left")
        {
        }
        catch (OperationCanceledException) when (how == "left")
        {
        }

        notes.Note($"over {link} {type} {how} {taken}");
    }

    private static async Task WorkAsync(
        Facts notes, PacketContext context, string name, Random random, int slow, int hangs, int asks)
    {
        int dice = random.Next(1000);
        if (dice < hangs)
        {
            int ms = random.Next(2) == 0 ? Hang : 200;
            notes.Note($"hangs {ms}");
            await Task.Delay(ms);
        }
        else if (dice < hangs + asks)
        {
            // What comes before the response may be more than the loop holds: then its time is up.
            notes.Note($"begin ask-{name} {RequestMs + 1500}");
            try
            {
                _ = await ((Link)context.Sender).RequestAsync(
                    new Ask(dice, random.Next(5), AskKind.Answer), TimeSpan.FromMilliseconds(RequestMs));
            }
            catch (TransportException late)
            {
                notes.Note($"ask {late.Fault} {late.Message}");
            }

            notes.Note($"end ask-{name}");
        }
        else if (dice % 20 < slow)
        {
            await Task.Delay(random.Next(3));
        }
    }

    private async Task PlayAsync(Link near, Facts nearFacts, Link far, Facts farFacts, int most)
    {
        int choices, end, way, wait;
        lock (_random)
        {
            (choices, end, way, wait) = (_random.Next(), _random.Next(150), _random.Next(8), _random.Next());
        }

        nearFacts.Note($"way {way}");
        Task sending = Task.Run(
            () => new Senders(far, farFacts, 0, choices, 4 << 10, strangers: 100).RunAsync(most, CancellationToken.None));
        Task asking = LinkDays.AskAsync(far, farFacts, wait);
        await LinkDays.EndBothAsync((near, nearFacts), (far, farFacts), way, end, CloseMs, sending, asking);
    }
}
