using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>A worker that a main node has started: its process, its link and its end. Safe from any thread.</summary>
public sealed class WorkerProcess
{
    /// <summary>How often it is asked whether the link of an ended process is read out; a link that ends by itself is reported at
    /// once.</summary>
    private static readonly TimeSpan ReadOutLook = TimeSpan.FromMilliseconds(50);

    /// <summary>How long the end waits for a callback of a stall that does not return.</summary>
    private static readonly TimeSpan ReportGrace = TimeSpan.FromSeconds(2);

    /// <summary>
    /// The shortest grace. A process that has died closes its socket a moment before it has exited: the main node must not claim that kill.
    /// </summary>
    private static readonly TimeSpan LeastGrace = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// How long a process may take to exit once it was killed; one that waits in the kernel, for a disk that does not answer, may not
    /// die at all.
    /// </summary>
    private static readonly TimeSpan ExitedWithin = TimeSpan.FromSeconds(2);

    /// <summary>How long a stop waits until the worker has begun the requests that were asked before.</summary>
    private static readonly TimeSpan BeginGrace = TimeSpan.FromSeconds(1);

    /// <summary>How long a worker that has closed its link may take to exit by itself before a stop ends it.</summary>
    private static readonly TimeSpan LeaveGrace = TimeSpan.FromSeconds(1);

    /// <summary>How long a link may take to close that its worker has not closed in time.</summary>
    private static readonly TimeSpan CloseGrace = TimeSpan.FromMilliseconds(500);

    private readonly TaskCompletionSource<Link> _link = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<WorkerExit> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly MainNodeOptions _options;
    private readonly ChildProcess _child;
    private readonly EndWait _end;
    private readonly LinkTicket _ticket;
    private readonly WorkerTail? _tail;
    private readonly ConnectWatch _connecting;
    private readonly long _started;
    private readonly Task<(long Stamp, DateTimeOffset Time)> _endedAt;
    private readonly WorkerNotes _notes;
    private bool _tooLate;

    internal WorkerProcess(
        string fileName, ChildProcess child, LinkTicket ticket, TailFile? tail, MainNodeOptions options, WorkerNotes? notes = null)
    {
        _notes = notes ?? new WorkerNotes();
        FileName = fileName;
        _child = child;
        _end = new EndWait(child, options.Link.TimeProvider);
        _ticket = ticket;
        _tail = tail is null ? null
            : new WorkerTail(ticket.Node, tail, () => child.HasExited, () => child.WaitForExitAsync(), _end.Overdue);
        _options = options;
        _connecting = new ConnectWatch(this, options);
        _started = options.Link.TimeProvider.GetTimestamp();
        _endedAt = NoteEndAsync();
        _ = _link.Task.ContinueWith(static t => t.Exception, TaskScheduler.Default); // seen, also if nobody asks for the link
    }

    /// <summary>Gets the main node's name for the worker.</summary>
    public string Node => _ticket.Node;

    /// <summary>Gets the process id.</summary>
    public int ProcessId => _child.ProcessId;

    /// <summary>Gets the program as it was asked for.</summary>
    public string FileName { get; }

    /// <summary>Gets or sets the worker's activity, for people: the project it builds, the request it answers. Set it whenever the work
    /// changes; the exit report has it (<see cref="WorkerExit.CurrentActivity"/>). Never throws.</summary>
    /// <value>The default is null: nothing, or nobody said.</value>
    /// <remarks>Setting it costs some 50 µs at most once in two seconds: it is then also looked how many processes the kernel has killed
    /// for lack of memory, so that what died before this piece of work does not explain an end in it.</remarks>
    public string? CurrentActivity
    {
        get => _notes.Activity;
        set
        {
            _notes.Activity = value;
            _child.LookAtMemory(moved: false);
        }
    }

    /// <summary>Occurs if the worker has been running for <see cref="HeartbeatOptions.StallTimeout"/> and has no link yet
    /// (<see cref="StallKind.Connecting"/>). Once at most, on a thread of the pool; what a subscriber throws is only written to the event
    /// source. If there is a link, see <see cref="Link.Stalled"/>.</summary>
    /// <remarks>It does not occur if <see cref="MainNodeOptions.ConnectTimeout"/> is not longer: then the worker's end reports
    /// it.</remarks>
    public event EventHandler<StallReport>? Stalled;

    /// <summary>Occurs if a stall that <see cref="Stalled"/> reported is over: there is a link, or the worker has ended without one.
    /// <see cref="WaitForExitAsync"/> returns after it, unless it takes more than 2 s.</summary>
    public event EventHandler<StallReport>? StallEnded;

    /// <summary>Gets the last 20 lines of standard error so far, oldest first.</summary>
    public IReadOnlyList<string> LastErrorLines => _child.LastErrorLines;

    /// <summary>Gets a value indicating whether <see cref="StopAsync"/> was called.</summary>
    internal bool IsStopAsked => _notes.IsStopAsked;

    /// <summary>Gets a value indicating whether its pool replaces it.</summary>
    internal bool IsRecycled => _notes.IsRecycled;

    internal bool IsWaitingForLink => _ticket.WaitForLinkAsync().Status != TaskStatus.RanToCompletion;

    private TimeProvider Clock => _options.Link.TimeProvider;

    /// <summary>Waits until the worker has connected and reading has begun.</summary>
    /// <param name="cancellationToken">Ends the wait; the worker goes on.</param>
    /// <returns>The link.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.ConnectFailed"/>: the worker ended, or was killed, before it had a
    /// link; the message names it and its end.</exception>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    public Task<Link> WaitForLinkAsync(CancellationToken cancellationToken = default) => Delay.UntilAsync(_link.Task, cancellationToken);

    /// <summary>Waits until the process has ended and its link and output are drained.</summary>
    /// <param name="cancellationToken">Ends the wait; the worker goes on.</param>
    /// <returns>How the worker ended.</returns>
    /// <exception cref="OperationCanceledException">The wait was cancelled.</exception>
    public Task<WorkerExit> WaitForExitAsync(CancellationToken cancellationToken = default) =>
        Delay.UntilAsync(_ended.Task, cancellationToken);

    /// <summary>Kills the process at once (SIGKILL). Never reaches another process that has got the same id.</summary>
    /// <param name="reason">Why, for people, in a few words; is in <see cref="WorkerExit.KillReason"/>. Null: that this was
    /// called.</param>
    /// <returns>False if it had ended already.</returns>
    public bool Kill(string? reason = null)
    {
        bool isAfterLink = _notes.Killing(string.IsNullOrEmpty(reason) ? $"{nameof(WorkerProcess)}.{nameof(Kill)} was called" : reason!);
        bool killed = _child.Kill();
        if (isAfterLink && !killed)
        {
            _notes.NotKilledAfterLink();
        }

        return killed;
    }

    /// <summary>Asks the worker to finish and waits for its end. The worker answers the requests that were begun, but for streams; then its
    /// link closes, unless the worker closes it itself, behind its last packets (<c>WorkerHostOptions.CloseOnStop</c>). A worker that has no
    /// link, or none any more, gets SIGTERM; one whose link was closed in order only if it has not exited by itself after 1 s, or after half
    /// the time if that is less. After the time its link is closed from here, and what has not ended a moment later is killed.</summary>
    /// <param name="reason">Reported to the worker; for people.</param>
    /// <param name="timeout">How long it gets; null (default): <see cref="MainNodeOptions.StopTimeout"/>;
    /// <see cref="Timeout.InfiniteTimeSpan"/>: no limit; any other negative time counts as zero.</param>
    /// <param name="cancellationToken">Cancelled: the time is over at once. That throws nothing: the worker's end says what was
    /// lost.</param>
    /// <returns>The worker's end.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="reason"/> is null.</exception>
    /// <remarks>
    /// If the process is still running 2 s after the kill, or its output callback does not return, this waits only while more output
    /// arrives. Then <see cref="WorkerExit.Process"/> is unknown, and <see cref="WorkerExit.OutputFault"/> says what hangs.
    /// </remarks>
    public async Task<WorkerExit> StopAsync(
        string reason = "", TimeSpan? timeout = null, CancellationToken cancellationToken = default)
    {
        ArgumentGuard.NotNull(reason, nameof(reason));
        _notes.StopAsked(isRecycled: false);
        TimeSpan most = timeout ?? _options.StopTimeout;
        most = most < TimeSpan.Zero && most != Timeout.InfiniteTimeSpan ? TimeSpan.Zero : most;
        var deadline = new Deadline(Clock, most);
        bool isAsked = false;
        Link? known = _notes.Link;
        Link? link = known is { Completion.IsCompleted: false } ? known : null;
        if (link is null)
        {
            bool isLeaving = known is not null && (await known.Completion.ConfigureAwait(false)).IsClean;
            var half = TimeSpan.FromTicks(most.Ticks / 2);   // the other half is for what SIGTERM brings
            TimeSpan grace = most == Timeout.InfiniteTimeSpan || half > LeaveGrace ? LeaveGrace : half;
            if (!isLeaving || !await Delay.InTimeAsync(_ended.Task, Clock, grace, cancellationToken).ConfigureAwait(false))
            {
                _notes.Stopping(reason.Length > 0 ? reason : "it was to stop");
                _child.Terminate();
            }
        }
        else
        {
            isAsked = await link.TryRequestStopAsync(
                reason, most == Timeout.InfiniteTimeSpan || most > BeginGrace ? BeginGrace : most, cancellationToken).ConfigureAwait(false);
            if (!isAsked)
            {
                _ = link.CloseAsync(reason, most > CloseGrace || most == Timeout.InfiniteTimeSpan ? most : CloseGrace);
            }
        }

        bool isEnded = await Delay.InTimeAsync(_ended.Task, Clock, deadline.Left, cancellationToken).ConfigureAwait(false);
        if (!isEnded && isAsked)
        {
            // It did not finish. What it has sent is still taken before it is killed.
            _ = link!.CloseAsync(reason, CloseGrace);
            isEnded = await Delay.InTimeAsync(_ended.Task, Clock, CloseGrace).ConfigureAwait(false);
        }

        if (!isEnded)
        {
            string waited = cancellationToken.IsCancellationRequested
                ? "it was asked to stop, and waiting for that was cancelled"
                : $"it had not ended {Seconds(most)} after it was asked to stop";
            Kill(waited + (reason.Length > 0 ? $" ({reason})" : string.Empty));
            if (!await Delay.InTimeAsync(_child.WaitForExitAsync(), Clock, ExitedWithin).ConfigureAwait(false))
            {
                _end.SetOverdue();
            }
        }

        return await _ended.Task.ConfigureAwait(false);
    }

    /// <summary>Stops it because its pool replaces it.</summary>
    internal Task<WorkerExit> RecycleAsync(string reason)
    {
        _notes.StopAsked(isRecycled: true);
        return StopAsync(reason);
    }

    /// <summary>Returns the name and process id.</summary>
    /// <returns>For example <c>n2 (pid 4711)</c>.</returns>
    public override string ToString() => FormattableString.Invariant($"{Node} (pid {ProcessId})");

    /// <summary>
    /// Says whether a connection was the worker's: by its secret, or by the kernel's process id, which may be that of a process behind a
    /// wrapper (<c>dotnet run</c>).
    /// </summary>
    internal bool Owns(RefusedConnection connection) => connection.Ticket is { } ticket
        ? ReferenceEquals(ticket, _ticket)
        : connection.Identity.ProcessId is { } process && ProcessStatus.IsOrDescendsFrom(process, ProcessId);

    /// <summary>Takes down what the worker's connection was refused with; the first counts.</summary>
    internal void Refused(string code, string why) => _notes.Refused(code, why);

    /// <summary>Takes down why connections could not be taken while this one may have come; a refusal counts more.</summary>
    internal void NotAccepted(string why) => _notes.NotAccepted(why);

    /// <summary>Reports the end.</summary>
    internal void Complete(WorkerExit end) => _ended.TrySetResult(end);

    /// <summary>Gives the worker up because it cannot be followed any more.</summary>
    /// <param name="defect">Why.</param>
    /// <returns>Its end, as far as that is known.</returns>
    internal WorkerExit GiveUp(Exception defect)
    {
        string cause = $"the main node could not follow it: {defect.Message}";
        Try(() => Kill(cause));
        Try(_ticket.Cancel);
        Try(() => _tail?.Dispose());
        string message = $"Worker {this}, {FileName}, was given up: {cause}";
        _link.TrySetException(new TransportException(TransportFault.ConnectFailed, message, defect));
        return new WorkerExit
        {
            Node = Node,
            ProcessId = ProcessId,
            FileName = FileName,
            Executable = _child.Executable,
            Cause = cause,
            CurrentActivity = CurrentActivity,
            EndedAt = TimeProvider.System.GetUtcNow(),
            LastErrorLines = LastErrorLines,
            OutputFault = defect,
        };
    }

    /// <summary>Runs a step of giving up: one that fails must not keep those who wait from hearing of the end.</summary>
    private static void Try(Action step)
    {
        try
        {
            step();
        }
        catch (Exception e)
        {
            TransportEventSource.Log.HandlerFailed(string.Empty, string.Empty, "giving up a worker", ExceptionText.MessageOf(e));
        }
    }

    /// <summary>Follows the worker to its end.</summary>
    internal async Task<WorkerExit> FollowAsync(PacketRouter router)
    {
        LinkEnd? linkEnd = null;
        Exception? routerFault = null;
        Link? link = await ConnectAsync().ConfigureAwait(false);
        if (link is not null)
        {
            routerFault = TryStart(link, router);
            linkEnd = await FollowLinkAsync(link).ConfigureAwait(false);
        }

        (ProcessExit end, string? problem) = await _end.Ended.ConfigureAwait(false);
        await Delay.InTimeAsync(_connecting.Reported, TimeProvider.System, ReportGrace).ConfigureAwait(false);
        string? linkProblem = link is null ? _notes.LinkProblem : null;
        _tail?.Dispose();
        FatalError? fatal = _child.FatalErrorOf(end, linkEnd is { Fault: TransportFault.PeerGone });
        string cause = EndCause.Of(end, linkEnd, _notes.Refusal, _tooLate, _notes.WasKilledAfterLink)
            + (fatal is null ? string.Empty : ", " + fatal);
        if (link is null)
        {
            _link.TrySetException(new TransportException(TransportFault.ConnectFailed, _tooLate
                ? $"Worker {this} had not connected {_options.ConnectTimeout.TotalSeconds:0.#} s after its start and was killed. "
                    + $"If it needs longer, raise {nameof(MainNodeOptions)}.{nameof(MainNodeOptions.ConnectTimeout)}."
                : $"Worker {this}, {FileName}, ended before it had a link: {cause}{InBrackets(problem)}{InBrackets(linkProblem)}."));
        }

        (long stamp, DateTimeOffset time) = await _endedAt.ConfigureAwait(false);
        Exception? fault = routerFault ?? _child.OutputFault;
        return new WorkerExit
        {
            Node = Node,
            ProcessId = ProcessId,
            FileName = FileName,
            Executable = _child.Executable,
            Process = end,
            KillReason = _child.WasKilledHere(end) ? _notes.KillReason
                : _child.WasTerminatedHere(end) ? _notes.StopReason : null,
            Link = linkEnd,
            Cause = cause,
            FatalError = fatal,
            HadTail = _tail is not null,
            CurrentActivity = CurrentActivity,
            EndedAt = time,
            LinkProblem = linkProblem,
            LifeTime = Clock.GetElapsedTime(_started, stamp),
            SinceLastFrame = link?.LastFrame is { } frame ? Before(frame, stamp) : null,
            LastPackets = link is null ? [] : [.. link.RecentPackets.Select(packet => new LastPacket(
                packet.Type, NameOf(packet.Type, link, router), packet.Lane, packet.Bytes,
                    Before(packet.Time, stamp)))],
            UnhandledByType = linkEnd is { Receipt.Unhandled: > 0 } ? UnhandledOf(link!, router) : [],
            LeftLoops = link is null ? [] : OfLoops(link, static share => share.Missed),
            Unread = link is null ? [] : OfLoops(link, static share => share.Ordinals.Count),
            FirstUnhandled = link?.FirstUnhandled is { } first
                ? $"{Shown(first.Type, NameOf(first.Type, link, router))}, {first}" : null,
            Unanswered = link?.RequestsIn(Lane.Normal).Unanswered ?? [],
            LastErrorLines = LastErrorLines,
            EndProblem = problem,
            OutputFault = problem is null ? fault : new TimeoutException(problem, fault),
        };
    }

    internal void OnStalled(StallReport report) => Stalled?.Invoke(this, report);

    internal void OnStallEnded(StallReport report) => StallEnded?.Invoke(this, report);

    /// <summary>The types that nobody took, most packets first; those that are not distinguished come last.</summary>
    private List<KeyValuePair<string, long>> UnhandledOf(Link link, PacketRouter router) =>
        [.. (router.Unknown is null ? link.Counters.UnknownByType() : new Dictionary<int, long>())
            .Select(one => (Type: one.Key, one.Value, Name: one.Key < 0 ? "others" : Shown(one.Key, NameOf((ushort)one.Key, link, router))))
            .Concat(OfLoops(link, static share => share.Missed).Select(static one => (Type: 0, one.Value, Name: one.Key)))
            .OrderBy(static one => one.Type < 0).ThenByDescending(static one => one.Value).ThenBy(static one => one.Type)
            .Select(static one => new KeyValuePair<string, long>(one.Name, one.Value))];

    private static List<KeyValuePair<string, long>> OfLoops(Link link, Func<LoopShare, long> count) =>
        [.. (link.Unread?.ByLoop(count) ?? []).Select(static one => new KeyValuePair<string, long>(one.Key.Name, one.Value))];

    private string NameOf(ushort type, Link link, PacketRouter router) =>
        PacketNames.Of(type, _options.Link.KnownPackets, router, link.Peer.Names);

    private static string Shown(int type, string name) => name == FormattableString.Invariant($"type {type}") ? name
        : FormattableString.Invariant($"{name} ({type})");

    private static string Seconds(TimeSpan time) => FormattableString.Invariant($"{time.TotalSeconds:0.###} s");

    /// <summary>How long before the end something came. What came last may have been read after it; what came from the tail has no time
    /// (0).</summary>
    private TimeSpan Before(long frame, long end) => frame == 0 || frame >= end ? TimeSpan.Zero : Clock.GetElapsedTime(frame, end);

    private async Task<(long Stamp, DateTimeOffset Time)> NoteEndAsync()
    {
        await _end.Ended.ConfigureAwait(false);
        return (Clock.GetTimestamp(), Clock.GetUtcNow());
    }

    private async Task<Link?> ConnectAsync()
    {
        bool inTime = await _connecting.WaitAsync(Task.WhenAny(_ticket.WaitForLinkAsync(), _end.Ended)).ConfigureAwait(false);

        // Withdrawn first, asked then: a link that is just being made still comes, and none comes later.
        _ticket.Cancel();
        try
        {
            Link link = await _ticket.WaitForLinkAsync().ConfigureAwait(false);
            _connecting.End(linked: true);
            return link;
        }
        catch (Exception thrown) when (thrown is OperationCanceledException or TransportException)
        {
            _tooLate = Kill(inTime ? "its link could not be made" : $"it had not connected {Seconds(_options.ConnectTimeout)} after its "
                + $"start ({nameof(MainNodeOptions)}.{nameof(MainNodeOptions.ConnectTimeout)})") && !inTime;
            await _end.Ended.ConfigureAwait(false);
            _connecting.End(linked: false);
            return null;
        }
    }

    private static string InBrackets(string? text) => text is null ? string.Empty : $" ({text.TrimEnd('.')})";

    private Exception? TryStart(Link link, PacketRouter router)
    {
        try
        {
            if (_tail is not null)
            {
                _tail.Start(link, router);
            }
            else if (!link.Completion.IsCompleted)
            {
                link.Start(router);
            }

            _child.LookAtMemory(moved: true); // a wrapper may have put it into a control group of its own
            _notes.Link = link;
            _link.TrySetResult(link);
            return null;
        }
#pragma warning disable CA1031 // the caller's router: its mistake is reported by the link's task, the worker must not go on
        catch (Exception thrown)
#pragma warning restore CA1031
        {
            _link.TrySetException(thrown);
            link.Abort("the main node could not start reading");
            return thrown;
        }
    }

    /// <summary>
    /// The process has ended: what it had written is in the stream, and is read before its end is reported. A child of its own that
    /// inherited the socket (a fork without exec) keeps the stream open and may even write to it, so its end must not be waited for: enough
    /// is read once the stream was found empty since, or more has come than a socket holds.
    /// </summary>
    private async Task ReadOutAsync(Link link)
    {
        var looks = new DrainDetector(link.Counters.BytesReceived, link.Reading.Dry);
        while (!await Delay.InTimeAsync(link.Completion, TimeProvider.System, ReadOutLook).ConfigureAwait(false))
        {
            // The bytes first: what is read between the two is then seen by the next look.
            long received = link.Counters.BytesReceived;
            ReceiveLook look = link.Reading;
            if (looks.IsEnough(look.IsWaiting, received, look.Dry))
            {
                link.PeerProcessEnded(looks.IsDrained);
                return;
            }
        }
    }

    /// <summary>
    /// Follows a link to its end, and its process to its own. Killing begins when the link is broken, which may be long before its end:
    /// until the process has exited, what it has left cannot be handled.
    /// </summary>
    private async Task<LinkEnd> FollowLinkAsync(Link link)
    {
        Task killing = KillBrokenAsync(link);
        await Task.WhenAny(link.Completion, _end.Ended).ConfigureAwait(false);
        await ReadOutAsync(link).ConfigureAwait(false);
        LinkEnd end = await link.Completion.ConfigureAwait(false);
        await killing.ConfigureAwait(false);
        await _end.Ended.ConfigureAwait(false);
        await link.DisposeAsync().ConfigureAwait(false);
        return _tail?.Count(link, end) ?? end;
    }

    private async Task KillBrokenAsync(Link link)
    {
        await Task.WhenAny(link.Broken, link.Completion).ConfigureAwait(false);
        if (!link.Broken.IsCompleted)
        {
            return;
        }

        TimeSpan grace = _options.BrokenLinkGrace > LeastGrace ? _options.BrokenLinkGrace : LeastGrace;
        Task ended = Task.WhenAny(_child.WaitForExitAsync(), _end.Overdue);
        if (!await Delay.InTimeAsync(ended, Clock, grace).ConfigureAwait(false))
        {
            string stopped = ProcessStatus.IsStopped(ProcessId) ? "; it was stopped (SIGSTOP)" : string.Empty;
            string option = $"{nameof(MainNodeOptions)}.{nameof(MainNodeOptions.BrokenLinkGrace)}";
            string why = $"its link had ended ({link.Fault ?? TransportFault.PeerGone})";
            Kill($"{why}, and it ran on for {Seconds(_options.BrokenLinkGrace)} ({option}){stopped}");
            await Delay.InTimeAsync(ended, Clock, ExitedWithin).ConfigureAwait(false);
        }

        if (!_child.HasExited)
        {
            _end.SetOverdue();
            link.GiveUpReading();
        }
    }
}
