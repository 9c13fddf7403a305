using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests;
using Transport.Testing.Links;

namespace Transport.Journal.Tests.Spill;

/// <summary>A main node that can be away, slow or cut off, and what it has handled.</summary>
internal sealed class SpillRig : IAsyncDisposable
{
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(90);

    private readonly object _gate = new();
    private readonly List<long> _numbers = [];
    private readonly List<Link> _links = [];
    private readonly List<SpillReport> _reports = [];   // under its own lock; the sender adds to it at any time
    private readonly ManualResetEventSlim _open = new(true);
    private readonly TestFolder _folder = new();
    private LinkListener? _listener;

    public SpillRig() => Router = Receiver.AddTo(new PacketRouter().On(NumberPacket.Type, Handle));

    public SpillReceiver Receiver { get; set; } = new();

    public PacketRouter Router { get; set; }

    /// <summary>Gets where senders keep their journals.</summary>
    public string Directory => System.IO.Path.Combine(_folder.Root, "spill");

    /// <summary>Gets what the sender has reported so far.</summary>
    public SpillReport[] Reports
    {
        get
        {
            lock (_reports)
            {
                return [.. _reports];
            }
        }
    }

    /// <summary>Gets or sets a value indicating whether the test harms a journal.</summary>
    public bool MayReportDamage { get; set; }

    /// <summary>Gets or sets what a handler does with each number before it counts.</summary>
    public Action<long>? Handling { get; set; }

    public int Links
    {
        get
        {
            lock (_gate)
            {
                return _links.Count;
            }
        }
    }

    public long[] Numbers
    {
        get
        {
            lock (_gate)
            {
                return [.. _numbers];
            }
        }
    }

    /// <summary>Gives both the link's queue and the memory capacity for so many bytes.</summary>
    public static void Budget(SpillOptions options, int bytes) => options.Link.MaxQueuedBytes = options.MaxMemoryBytes = bytes;

    public SpillOptions Options(Action<SpillOptions>? change = null)
    {
        var options = new SpillOptions
        {
            MaxMemoryBytes = 64 << 10,
            Link = new LinkOptions
            {
                MaxQueuedBytes = 64 << 10,
                HandshakeTimeout = Patience,
                CloseTimeout = Patience,
                Heartbeat = { SilenceTimeout = TimeSpan.FromMinutes(9) },
            },
            Journal = new JournalOptions { SegmentBytes = 1 << 20 },
            MinBackoff = TimeSpan.FromMilliseconds(1),
            MaxBackoff = TimeSpan.FromMilliseconds(20),
            OnReport = report =>
            {
                lock (_reports)
                {
                    _reports.Add(report);
                }
            },
        };
        change?.Invoke(options);
        return options;
    }

    public SpillingSender Open(Action<SpillOptions>? change = null) => SpillingSender.Open(Directory, Connect, Options(change));

    /// <summary>Opens a sender that finds no main node any more once it is reported so.</summary>
    public SpillingSender OpenUntil(Func<bool> isAlone, Action<SpillOptions> change) => SpillingSender.Open(
        Directory, (attempt, stop) => isAlone() ? Task.FromResult<SpillTarget?>(null) : Connect(attempt, stop), Options(change));

    /// <summary>The main node is there.</summary>
    /// <param name="change">Changes its options.</param>
    public void Arrive(Action<LinkOptions>? change = null)
    {
        var options = new LinkOptions
        {
            HandshakeTimeout = Patience, CloseTimeout = Patience, Heartbeat = { SilenceTimeout = TimeSpan.FromMinutes(9) },
        };
        change?.Invoke(options);
        _listener = LinkListener.Start(WireKind.UnixSocket, options);
    }

    /// <summary>The main node goes: its links are cut.</summary>
    public async Task LeaveAsync()
    {
        if (Interlocked.Exchange(ref _listener, null) is { } listener)
        {
            await listener.DisposeAsync();
        }

        await CutAsync();
    }

    /// <summary>Cuts the links there are.</summary>
    public async Task CutAsync()
    {
        Link[] links;
        lock (_gate)
        {
            links = [.. _links];
        }

        foreach (Link link in links)
        {
            link.Abort("cut by the test");
            await link.Completion.WaitAsync();
        }
    }

    /// <summary>Cuts a link as soon as there is one.</summary>
    public async Task CutOnceAsync()
    {
        Until(() => Links > 0, "a link");
        Task cutting = CutAsync();
        GoOn();
        await cutting;
    }

    /// <summary>Handlers wait from now on.</summary>
    public void Hold() => _open.Reset();

    public void GoOn() => _open.Set();

    public bool Reported(SpillEvent what) => Reports.Any(r => r.Event == what);

    public int Count(SpillEvent what) => Reports.Count(r => r.Event == what);

    private static string Show(SpillingSender sender)
    {
        PacketJournal journal = sender.Journals[0];
        JournalStatus held = journal.Status;
        return $"{sender.Status}; journal: {journal.Appended} appended, {journal.Committed} committed, "
            + $"{held.QueuedBytes} bytes queued, {held.Refused} refused, {held.Segments} segments, failure: {journal.Failure?.Message}";
    }

    /// <summary>Shows the last of what the sender reported, if a test has failed.</summary>
    public void ShowReportsOfAFailure()
    {
        if (TestContext.CurrentContext.Result.Outcome.Status == NUnit.Framework.Interfaces.TestStatus.Failed)
        {
            SpillReport[] all = Reports;
            Array.ForEach([.. all.Skip(all.Length - 30)], r => TestContext.Out.WriteLine(r));
        }
    }

    public SpillReport TheReport(SpillEvent what) => Reports.First(r => r.Event == what);

    public static void Until(Func<bool> condition, string what) => Assert.That(SpinWait.SpinUntil(condition, Patience), Is.True, what);

    /// <summary>Sends numbers, as fast as the journal takes them.</summary>
    public static void Send(SpillingSender sender, long from, long to, int padding = 200)
    {
        for (long number = from; number <= to; number++)
        {
            var packet = new NumberPacket(number, new byte[padding]);
            SendResult result = sender.TrySend(NumberPacket.Type, packet);
            if (result != SendResult.Queued)
            {
                Until(
                    () => (result = sender.TrySend(NumberPacket.Type, packet)) == SendResult.Queued,
                    $"number {number} is taken; it was answered {result}, {Show(sender)}");
            }
        }
    }

    /// <summary>Sends a first packet and waits until the lane is open for others.</summary>
    public void SendFirst(SpillingSender sender)
    {
        Send(sender, 1, 1);
        ExpectAll(1, 1);
        Until(() => sender.Status.IsDelivered, "the first one is acknowledged");
        Until(() => sender.IsDirect, "the lane is open");   // a little later; what comes before is spilled without "spilling has begun"
    }

    /// <summary>Waits until the last one has come, and looks at all.</summary>
    public void ExpectAll(long from, long to)
    {
        Until(
            () => Numbers is { Length: > 0 } n && n[n.Length - 1] == to,
            $"{to} comes last; came {Numbers.LastOrDefault()} of {Numbers.Length}");
        IEnumerable<long> expected = Enumerable.Range(0, (int)(to - from + 1)).Select(i => from + i);
        Assert.That(Numbers, Is.EqualTo(expected), "all of them, in order, none twice");
    }

    public Task<SpillTarget?> Connect(SpillAttempt attempt, CancellationToken cancellation)
    {
        if (Volatile.Read(ref _listener) is not { } listener)
        {
            return Task.FromResult<SpillTarget?>(null);
        }

        LinkTicket ticket = listener.Expect("sender");
        _ = StartAsync(ticket, listener);
        return Task.FromResult<SpillTarget?>(new SpillTarget(listener.Endpoint, ticket.Secret));
    }

    public void Handle(NumberPacket packet)
    {
        _open.Wait(Patience);
        Handling?.Invoke(packet.Number);
        lock (_gate)
        {
            _numbers.Add(packet.Number);
        }
    }

    public async ValueTask DisposeAsync()
    {
        GoOn();
        await LeaveAsync();
        _folder.Dispose();
    }

    private async Task StartAsync(LinkTicket ticket, LinkListener listener)
    {
        try
        {
            Link link = await ticket.WaitForLinkAsync();
            lock (_gate)
            {
                if (!ReferenceEquals(listener, Volatile.Read(ref _listener)))
                {
                    link.Abort("the main node is away");   // it came in just before
                    return;
                }

                _links.Add(link);
            }

            link.Start(Router);
        }
        catch (OperationCanceledException)
        {
            // The listener went before the sender came.
        }
    }
}

/// <summary>Waits with an end.</summary>
internal static class Waits
{
    public static async Task<T> WaitAsync<T>(this Task<T> task)
    {
        using var late = new CancellationTokenSource(SpillRig.Patience);
        var over = new TaskCompletionSource<bool>();
        using CancellationTokenRegistration registration = late.Token.Register(() => over.TrySetResult(true));
        Assert.That(await Task.WhenAny(task, over.Task), Is.SameAs(task), "in time");
        return await task;
    }
}
