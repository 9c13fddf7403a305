using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;

namespace Transport.Chaos.Days;

/// <summary>A sender that spills to a small disk, while its main node comes, goes, is slow, and somebody else fills the disk.</summary>
internal sealed class SpillDay(int seed, string folder) : IDay
{
    private readonly Random _random = new(seed);
    private readonly SpillReceiver _receiver = new();
    private readonly ManualResetEventSlim _open = new(true);
    private readonly ManualResetEvent _never = new(false);   // a slow handler waits for it
    private LinkListener? _listener;
    private volatile int _handlerPause;

    public async Task RunAsync()
    {
        using var disk = new SmallDisk(Path.Combine(folder, "disk"), _random.Next(130, 3000));
        using var facts = new Facts(folder, "sender");
        using var handled = new Facts(folder, "main");
        PacketRouter Router() => _receiver.AddTo(new PacketRouter().OnRaw(Senders.Type, packet => Handle(handled, packet)));
        SpillOptions options = Options(facts);
        if (_random.Next(4) == 0)
        {
            disk.Fill(_random.Next(3) * 40_000L);   // full before anything is opened
        }

        SpillingSender sender = Open(disk, options, facts, Router);
        using var stop = new CancellationTokenSource();
        int producers = _random.Next(1, 4), most = _random.Next(200, 3000);
        int[] seeds = [.. Enumerable.Range(0, producers).Select(_ => _random.Next())];
        Task producing = Task.WhenAll(
            seeds.Select((own, i) => Task.Run(() => new Senders(sender, facts, i, own).RunAsync(most, stop.Token))));
        for (int step = _random.Next(4, 16); step > 0; step--)
        {
            await DisturbAsync(disk);
            await Task.Delay(_random.Next(30));
        }

        bool isAway = _random.Next(3) == 0;
        await (isAway ? LeaveAsync() : Task.CompletedTask);
        if (!isAway)
        {
            Arrive();
        }

        GoOn();
        if (_random.Next(2) == 0)
        {
            disk.Free();
        }

        if (_random.Next(2) == 0)
        {
            stop.CancelAfter(_random.Next(100));
        }

        // An answer comes whatever the disk does; only who waits for capacity that does not come is ended.
        stop.CancelAfter(1500);
        await producing;
        if (isAway)
        {
            string journal = Path.Combine(disk.Root, "spill", "normal");
            (string Name, byte[] Bytes)[]? image = _random.Next(2) == 0 ? await CrashAsync(journal, facts) : null;
            await CloseAsync(sender, facts, "away", TimeSpan.Zero, boundMs: 5000);
            if (image is not null)
            {
                Restore(journal, image);
            }

            if (_random.Next(2) == 0)
            {
                disk.Free();
            }

            if (_random.Next(2) == 0)
            {
                Arrive();
            }

            sender = Open(disk, options, facts, Router);
            Task more = new Senders(sender, facts, producers, _random.Next()).RunAsync(_random.Next(200), CancellationToken.None);
            await Task.Delay(_random.Next(50));
            Arrive();
            await more;
        }

        await CloseAsync(sender, facts, "last", TimeSpan.FromSeconds(20), boundMs: 25_000);
        await LeaveAsync();
    }

    /// <summary>Takes what a kill would leave: the files as they are once nothing writes to them any more.</summary>
    private static async Task<(string Name, byte[] Bytes)[]> CrashAsync(string journal, Facts facts)
    {
        await Task.Delay(300);
        facts.Note($"crash");
        return [.. Directory.GetFiles(journal, "*.segment").Select(file => (file, File.ReadAllBytes(file)))];
    }

    private static void Restore(string journal, (string Name, byte[] Bytes)[] image)
    {
        if (OperatingSystem.IsWindows())
        {
            throw new PlatformNotSupportedException();
        }

        Array.ForEach(Directory.GetFiles(journal, "*.segment"), File.Delete);
        foreach ((string name, byte[] bytes) in image)
        {
            using var file = new FileStream(name, new FileStreamOptions
            {
                Mode = FileMode.CreateNew, Access = FileAccess.Write, UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite,
            });
            file.Write(bytes);
        }
    }

    private SpillOptions Options(Facts facts) => new()
    {
        MaxMemoryBytes = (64 << 10) << _random.Next(3),
        MaxPacketBytes = 64 << 10,
        Link = new LinkOptions { MaxQueuedBytes = 64 << 10, MaxPacketBytes = 128 << 10 },
        Journal = new JournalOptions
        {
            SegmentBytes = (64 << 10) << _random.Next(5),
            MaxPacketBytes = 128 << 10,
            MaxQueuedBytes = (64 << 10) << _random.Next(4),
            BatchBytes = 16 << 10,
            Sync = _random.Next(3) == 0 ? JournalSync.None : JournalSync.GroupCommit,
        },
        MinBackoff = TimeSpan.FromMilliseconds(1),
        MaxBackoff = TimeSpan.FromMilliseconds(20),
        OnReport = report => facts.Note(
            $"report {report.Event} {report.Fault?.ToString() ?? "-"} {report.Packets} {report.Message} {report.Cause?.GetType().Name}"),
    };

    private SpillingSender Open(SmallDisk disk, SpillOptions options, Facts facts, Func<PacketRouter> router)
    {
        facts.Note($"begin open 5000");
        SpillingSender sender = SpillingSender.Open(Path.Combine(disk.Root, "spill"), (_, _) => Connect(router), options);
        facts.Note($"end open");
        return sender;
    }

    private static async Task CloseAsync(SpillingSender sender, Facts facts, string name, TimeSpan timeout, int boundMs)
    {
        facts.Note($"begin close-{name} {boundMs}");
        SpillStatus end = await sender.CloseAsync(timeout);
        facts.Note($"end close-{name}");
        facts.Note($"delivered {name} {end.IsDelivered} {end.Refused} {end}");
    }

    private void Handle(Facts handled, RawPacket packet)
    {
        _open.Wait();
        if (_handlerPause > 0)
        {
            _ = _never.WaitOne(_handlerPause);
        }

        (int producer, int number) = Senders.Read(packet.Body);
        handled.Note($"handled {producer} {number}");
    }

    private async Task DisturbAsync(SmallDisk disk)
    {
        switch (_random.Next(9))
        {
            case 0:
                await LeaveAsync();
                break;
            case 1 or 2:
                Arrive();
                break;
            case 3 or 4:
                disk.Fill(_random.Next(4) * 40_000L);
                break;
            case 5:
                disk.Free();
                break;
            case 6:
                _handlerPause = _random.Next(3);
                break;
            case 7:
                _open.Reset();
                break;
            default:
                GoOn();
                break;
        }
    }

    private void GoOn()
    {
        _handlerPause = 0;
        _open.Set();
    }

    private void Arrive()
    {
        if (_listener is null)
        {
            Volatile.Write(ref _listener, LinkListener.Start(WireKind.UnixSocket, new LinkOptions { MaxPacketBytes = 1 << 20 }));
        }
    }

    private async Task LeaveAsync()
    {
        GoOn();
        if (Interlocked.Exchange(ref _listener, null) is { } listener)
        {
            await listener.DisposeAsync();
        }
    }

    private Task<SpillTarget?> Connect(Func<PacketRouter> router)
    {
        if (Volatile.Read(ref _listener) is not { } listener)
        {
            return Task.FromResult<SpillTarget?>(null);
        }

        LinkTicket ticket = listener.Expect("sender");
        _ = StartAsync(ticket, router);
        return Task.FromResult<SpillTarget?>(new SpillTarget(listener.Endpoint, ticket.Secret));
    }

    private static async Task StartAsync(LinkTicket ticket, Func<PacketRouter> router)
    {
        try
        {
            (await ticket.WaitForLinkAsync()).Start(router());
        }
        catch (Exception e) when (e is OperationCanceledException or TransportException)
        {
            // The listener went first.
        }
    }
}
