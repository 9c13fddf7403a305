using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <summary>Makes a spilling sender's links, one after the other, and serves each until it ends.</summary>
internal sealed class SpillLinks
{
    private readonly Func<SpillAttempt, CancellationToken, Task<SpillTarget?>> _connect;
    private readonly SpillOptions _options;
    private readonly SpillReports _reports;
    private readonly SpillLane?[] _byLane;
    private readonly SpillLane[] _lanes;
    private readonly CancellationTokenSource _stopping = new();
    private readonly object _lock = new();   // over the fields below
    private Link? _link;
    private TimeSpan? _closeWithin;      // set once no further link is to be used
    private LevelRules _levels = new(PacketLevel.Trace);
    private long _count;

    /// <summary>Initializes a new instance of the <see cref="SpillLinks"/> class, and begins to connect.</summary>
    /// <param name="connect">Gives endpoint and secret for an attempt.</param>
    /// <param name="options">The options, checked.</param>
    /// <param name="byLane">The lanes that spill, by their numbers.</param>
    /// <param name="reports">Takes what happens.</param>
    public SpillLinks(
        Func<SpillAttempt, CancellationToken, Task<SpillTarget?>> connect, SpillOptions options, SpillLane?[] byLane, SpillReports reports)
    {
        (_connect, _options, _byLane, _reports) = (connect, options, byLane, reports);
        _lanes = [.. byLane.OfType<SpillLane>()];
        Completion = Task.Run(RunAsync);
    }

    /// <summary>Gets what completes when the last link has ended after <see cref="Stop"/>.</summary>
    public Task Completion { get; }

    /// <summary>Gets what is cancelled by <see cref="Stop"/>.</summary>
    public CancellationToken Stopping => _stopping.Token;

    /// <summary>Gets the link there is, or null.</summary>
    public Link? Link
    {
        get
        {
            lock (_lock)
            {
                return _link;
            }
        }
    }

    /// <summary>Gets which log events the main node wants, or has wanted last.</summary>
    public LevelRules Levels
    {
        get
        {
            lock (_lock)
            {
                return _link?.Levels ?? _levels;
            }
        }
    }

    /// <summary>Gets how many links there were.</summary>
    public long Count
    {
        get
        {
            lock (_lock)
            {
                return _count;
            }
        }
    }

    /// <summary>Makes no further link, and closes the one there is or that is just being made.</summary>
    /// <param name="limit">How long closing may take.</param>
    public void Stop(TimeSpan limit)
    {
        Link? link;
        lock (_lock)
        {
            _closeWithin = limit;
            link = _link;
        }

        _stopping.Cancel();
        _ = link?.CloseAsync(timeout: limit);   // ServeAsync waits for its end
    }

    /// <summary>Waits for a time, or until somebody cancels.</summary>
    public async Task PauseAsync(TimeSpan time, CancellationToken cancellation)
    {
        using var delay = new Delay(_options.Link.TimeProvider, time, cancellation);
        await delay.Task.ConfigureAwait(false);
    }

    private async Task RunAsync()
    {
        string? problem = null;
        int attempts = 0;
        while (!_stopping.IsCancellationRequested)
        {
            attempts++;
            Link? link = null;
            try
            {
                link = await ConnectAsync(new SpillAttempt(attempts, problem)).ConfigureAwait(false);
                problem = "there is no main node to connect to yet";
            }
            catch (Exception e)
            {
                problem = ExceptionText.MessageOf(e);   // whatever the caller's function throws, too
            }

            if (link is not null)
            {
                SpillNumber[] before = Progress();
                problem = await ServeAsync(link).ConfigureAwait(false);
                attempts = Progress().SequenceEqual(before) ? attempts : 0;
            }
            else if (!_stopping.IsCancellationRequested)
            {
                _reports.Report(SpillEvent.AttemptFailed, $"Attempt {attempts} got no link: {problem}");
            }

            await PauseAsync(Backoff(attempts), _stopping.Token).ConfigureAwait(false);
        }
    }

    private SpillNumber[] Progress() => [.. _lanes.Select(l => l.Acknowledged)];

    private TimeSpan Backoff(int attempts)
    {
        double most = _options.MaxBackoff.TotalMilliseconds;
        return TimeSpan.FromMilliseconds(Math.Min(most, _options.MinBackoff.TotalMilliseconds * Math.Pow(2, Math.Min(attempts - 1, 40))));
    }

    /// <summary>Makes one attempt.</summary>
    /// <returns>The link; null if there is no main node to connect to.</returns>
    private async Task<Link?> ConnectAsync(SpillAttempt attempt)
    {
        Task<SpillTarget?> asking = _connect(attempt, _stopping.Token);
        var stopped = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        using CancellationTokenRegistration registration = _stopping.Token.Register(() => stopped.TrySetResult(true));
        await Task.WhenAny(asking, stopped.Task).ConfigureAwait(false);
        if (_stopping.IsCancellationRequested || await asking.ConfigureAwait(false) is not { } target)
        {
            return null;
        }

        Link link = await Link.ConnectAsync(target.Endpoint, target.Secret, _options.Link, _stopping.Token).ConfigureAwait(false);
        int needed = _options.MaxPacketBytes + SpillPacket.Overhead;
        if (link.Peer.MaxPacketBytes >= needed)
        {
            return link;
        }

        await link.CloseAsync("packets of this sender may be too large").ConfigureAwait(false);
        throw new TransportException(
            TransportFault.BadConfiguration,
            $"The main node takes packets of {link.Peer.MaxPacketBytes} bytes, and those of this sender may have {needed}: "
                + "raise its LinkOptions.MaxPacketBytes, or lower SpillOptions.MaxPacketBytes.");
    }

    /// <summary>Uses a link until it ends. Never throws: whatever goes wrong ends this link, and there is another.</summary>
    /// <returns>How it ended.</returns>
    private async Task<string> ServeAsync(Link link)
    {
        using var over = new CancellationTokenSource();
        var running = new List<Task>();
        string? defect = null;
        try
        {
            List<SpillPump> pumps = Attach(link);
            Begin(link);
            running.AddRange(pumps.Select(pump => pump.RunAsync(over.Token)));
            await link.Completion.ConfigureAwait(false);
        }
        catch (Exception e)
        {
            defect = "The link could not be used: " + ExceptionText.MessageOf(e);
            _reports.Report(SpillEvent.AttemptFailed, defect, cause: e);
            link.Abort(defect);
        }

        LinkEnd end = await link.Completion.ConfigureAwait(false);
        lock (_lock)
        {
            _link = null;
            _levels = link.Levels;
        }

        over.Cancel();
        await Task.WhenAll(running).ConfigureAwait(false);
        foreach (SpillLane lane in _lanes)
        {
            await DetachAsync(lane).ConfigureAwait(false);
        }

        if (!_stopping.IsCancellationRequested)
        {
            _reports.Report(
                SpillEvent.Away, $"The link has ended ({end}); what is sent goes to the journal until there is another.", cause: end.Cause);
        }

        return defect ?? end.ToString();
    }

    private void Begin(Link link)
    {
        link.Start(_options.Router ?? new PacketRouter());
        TimeSpan? closeWithin;
        lock (_lock)
        {
            _link = link;
            _count++;
            closeWithin = _closeWithin;
        }

        if (closeWithin is { } limit)
        {
            _ = link.CloseAsync(timeout: limit);   // Stop came while the link was being made
        }

        string node = link.Peer.Node.Length > 0 ? link.Peer.Node : "the main node";
        _reports.Report(SpillEvent.Connected, $"A link to {node} is there.");
    }

    /// <summary>Detaches a lane. What fails is reported: the other lanes are detached all the same.</summary>
    private async Task DetachAsync(SpillLane lane)
    {
        try
        {
            await lane.DetachAsync().ConfigureAwait(false);
        }
        catch (Exception e)
        {
            _reports.Report(
                SpillEvent.AttemptFailed, $"Lane {lane.Name}: what was not acknowledged could not be saved: {ExceptionText.MessageOf(e)}",
                cause: e);
        }
    }

    /// <summary>Lets the lanes know of a link, and of what its peer acknowledges: before its first packet.</summary>
    private List<SpillPump> Attach(Link link)
    {
        var acknowledged = new Action<long>?[_byLane.Length];
        var pumps = new List<SpillPump>();
        for (int i = 0; i < _byLane.Length; i++)
        {
            if (_byLane[i] is { } lane)
            {
                pumps.Add(lane.Attach(link, out acknowledged[i]));
            }
        }

        link.SubscribeToAcknowledgments((lane, packets) => acknowledged[(int)lane]?.Invoke(packets));
        return pumps;
    }
}
