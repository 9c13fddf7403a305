using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;

namespace Transport.Chaos.Days;

/// <summary>A main node that keeps what it receives on a small disk, which others fill and free again.</summary>
internal sealed class KeepDay(int seed, string folder) : IDay
{
    private static readonly TimeSpan Close = TimeSpan.FromSeconds(1);

    private readonly Random _random = new(seed);

    public async Task RunAsync()
    {
        using var disk = new SmallDisk(Path.Combine(folder, "disk"), 40 << 10);   // enough for all, if nobody else has it
        using var facts = new Facts(folder, "workers");
        using var main = new Facts(folder, "main");
        string directory = Path.Combine(disk.Root, "journal");
        var options = new JournalOptions
        {
            SegmentBytes = (64 << 10) << _random.Next(5),
            MaxPacketBytes = 128 << 10,
            MaxQueuedBytes = (64 << 10) << _random.Next(4),
            BatchBytes = 16 << 10,
            Sync = _random.Next(3) == 0 ? JournalSync.None : JournalSync.GroupCommit,
        };
        PacketJournal journal = PacketJournal.Open(directory, options);
        var store = new JournalPacketStore(journal);
        PacketRouter router = new PacketRouter().UseStore(store).OnRaw(Senders.Type, packet =>
        {
            (int producer, int number) = Senders.Read(packet.Body);
            main.Note($"handled {producer} {number}");
        });
        LinkOptions Options(string node) => new()
        {
            Node = node,
            MaxQueuedBytes = 64 << 10,
            MaxPacketBytes = 128 << 10,
            CloseTimeout = Close,
            Heartbeat = { PingInterval = TimeSpan.FromMilliseconds(100), SilenceTimeout = TimeSpan.FromMilliseconds(500) },
        };
        await using LinkListener listener = LinkListener.Start(WireKind.UnixSocket, Options("main"));
        int links = _random.Next(1, 6), most = _random.Next(200, 1500);
        (Link Near, Link Far)[] pairs = await LinkPairs.ConnectAsync(links, listener, Options, _ => router, _ => new PacketRouter());
        using var stop = new CancellationTokenSource();
        int[] seeds = [.. pairs.Select(_ => _random.Next())];
        Task producing = Task.WhenAll(seeds.Select((own, i) => Task.Run(async () =>
        {
            await new Senders(pairs[i].Far, facts, i, own, mostBytes: 4 << 10).RunAsync(most, stop.Token);
        })));
        for (int step = _random.Next(4, 12); step > 0; step--)
        {
            if (_random.Next(2) == 0)
            {
                disk.Fill(_random.Next(4) * 40_000L);
            }
            else
            {
                disk.Free();
            }

            await Task.Delay(_random.Next(10) == 0 ? 700 : _random.Next(40));
        }

        bool isFull = _random.Next(3) == 0;
        if (isFull)
        {
            disk.Fill(0);
        }
        else
        {
            disk.Free();
        }

        main.Note($"disk {(isFull ? "full" : "free")}");
        stop.CancelAfter(_random.Next(300));
        await producing;
        await Task.WhenAll(pairs.Select((pair, i) => EndAsync(pair.Near, pair.Far, i, facts, main)));
        main.Note($"begin close 5000");
        try
        {
            await journal.CloseAsync();
            main.Note($"journal closed");
        }
        catch (JournalException e)
        {
            main.Note($"journal {e.Fault}");
        }

        main.Note($"end close");
        Directory.CreateDirectory(Path.Combine(folder, "journal"));
        foreach (string file in Directory.GetFiles(directory, "*.segment"))
        {
            File.Copy(file, Path.Combine(folder, "journal", Path.GetFileName(file)));
        }
    }

    /// <summary>The worker closes; both ends say what became of its packets.</summary>
    private static async Task EndAsync(Link main, Link worker, int number, Facts facts, Facts mainFacts)
    {
        // CloseTimeout for each Goodbye, then at most 250 ms for a farewell and 2 s each for a handler and the store.
        facts.Note($"begin close-{number} 8000");
        LinkEnd end = await worker.CloseAsync();
        facts.Note($"end close-{number}");
        facts.Note($"ended {number} {end.Fault} {end.Receipt.Sent} {end.Receipt.Acknowledged} {end.Receipt.Dropped} {end.Reason}");
        mainFacts.Note($"begin end-{number} 8000");
        LinkEnd other = await main.Completion;
        mainFacts.Note($"end end-{number}");
        LinkReceipt taken = other.Receipt;
        mainFacts.Note($"ended {number} {other.Fault} {taken.Received} {taken.Handled} {taken.Flushed} {other.Reason}");
    }
}
