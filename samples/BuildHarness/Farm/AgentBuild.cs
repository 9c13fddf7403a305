using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;
using BuildHarness.Building;
using BuildHarness.Packets;
using BuildHarness.Summary;
using BuildHarness.Worker;
using NATS.Client.Core;
using Transport;
using Transport.Journal;
using Transport.MSBuild;
using Transport.Nats;

namespace BuildHarness.Farm;

/// <summary>What an agent has of one build: worker processes, the journal in which their events are kept, and its shipper. Made before there
/// is a build, so that the workers are warm when one comes. Safe from any thread.</summary>
internal sealed class AgentBuild
{
    /// <summary>Workers that end before they have a link: more than this in a row and there is no use in starting another.</summary>
    private const int MostFailedStarts = 3;

    private static readonly TimeSpan InterruptedEndTime = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan EndTime = TimeSpan.FromSeconds(20), CancelTime = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(2);

    private readonly AgentSite _site;
    private readonly string _folder;
    private readonly PacketJournal _journal;
    private readonly WorkerFleet _fleet;
    private readonly Channel<FleetNode?> _idle = Channel.CreateUnbounded<FleetNode?>();   // null: one has ended
    private readonly ConcurrentDictionary<FleetNode, TaskCompletionSource<FleetNews>> _working = new();
    private readonly Lock _gate = new();   // over the next four; while it is held the fleet is asked to add a worker, and nobody else
    private int _alive;
    private int _failedStarts;
    private Task<FarmReport>? _ending;
    private Task? _closing;
    private JournalShipper? _shipper;
    private LevelRules? _levels;   // by Volatile: set once, by the build; read by the flow that hears the fleet
    private long _seen;            // by Volatile: set by who calls, read by the timer

    private AgentBuild(AgentSite site, string folder)
    {
        (_site, _folder) = (site, folder);
        _journal = PacketJournal.Open(Path.Combine(folder, "journal"), new JournalOptions
        {
            Sync = JournalSync.None, SegmentBytes = 8 << 20, MaxPacketBytes = WorkerFleet.LargestEvent,
        });
        _fleet = WorkerFleet.Start(
            WorkerFleet.Builds, new MainNodeOptions { Link = { App = "buildharness" } }, (_, _) => { }, Output, site.Say, StoreOf);
        _ = HearAsync();
    }

    /// <summary>Gets the build, once it has one.</summary>
    public FarmBuild? Build { get; private set; }

    /// <summary>Gets a value indicating whether it is over, or will be in a moment.</summary>
    public bool IsEnding
    {
        get
        {
            lock (_gate)
            {
                return _ending is not null;
            }
        }
    }

    /// <summary>Gets a value indicating whether nobody has asked for anything of it for long.</summary>
    public bool IsForgotten => _working.IsEmpty && Stopwatch.GetElapsedTime(Volatile.Read(ref _seen)) > FarmSettings.KeepFor;

    /// <summary>Makes one, and starts its workers.</summary>
    /// <exception cref="HarnessException">Neither folder nor workers can be made.</exception>
    public static AgentBuild Prepare(AgentSite site)
    {
        try
        {
            var made = new AgentBuild(site, Directory.CreateTempSubdirectory("buildharness-agent-").FullName);
            for (int i = 0; i < site.Workers; i++)
            {
                made.AddIfNeeded();
            }

            return made;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or JournalException)
        {
            throw new HarnessException($"An agent keeps what workers send in {Path.GetTempPath()}, and cannot: {e.Message}");
        }
    }

    /// <summary>Gives it a build. Once.</summary>
    public void Begin(FarmBuild build, INatsConnection connection)
    {
        Build = build;
        See();
        FleetStream events = FarmSettings.Events();
        _shipper = JournalShipper.Start(connection, _journal, new ShipperOptions
        {
            Stream = events, Machine = build.Id, ShippedBy = ShippedBy.Server, MaxDelay = TimeSpan.FromMilliseconds(5), Report = _site.Say,
        });
        Volatile.Write(ref _levels, new LevelRules((PacketLevel)build.Level));
    }

    /// <summary>Notes that somebody still wants it.</summary>
    public void See() => Volatile.Write(ref _seen, Stopwatch.GetTimestamp());

    /// <summary>Builds a project by one of the workers.</summary>
    /// <param name="project">The project.</param>
    /// <param name="begun">Takes who has it.</param>
    /// <param name="cancellationToken">Nobody wants it any more: its worker ends.</param>
    /// <exception cref="HarnessException">No worker can be started.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public async Task<FarmProjectEnd> BuildAsync(
        BuildProject project, IProgress<FarmProjectBegin> begun, CancellationToken cancellationToken)
    {
        FleetNode node = await RentAsync(cancellationToken).ConfigureAwait(false);
        var begin = new FarmProjectBegin(_site.Id, _journal.Id, _site.NodeOf(node.Id));
        var end = new TaskCompletionSource<FleetNews>(TaskCreationOptions.RunContinuationsAsynchronously);
        _working[node] = end;
        if (node.Worker.WaitForExitAsync().IsCompleted)
        {
            end.TrySetResult(new FleetNews.Ended(node, await node.Worker.WaitForExitAsync().ConfigureAwait(false)));
        }

        string title = Path.GetFileNameWithoutExtension(project.Path);
        begun.Report(begin);
        node.Begin(project.Id, title);
        _ = node.Link!.SetLevels(Volatile.Read(ref _levels)!);   // before the project, on the same link
        _ = node.Link.TrySend(BuildProject.PacketType, project);
        using CancellationTokenRegistration cancelled = cancellationToken.Register(
            () => _ = WorkerFleet.StopAsync(node, StopWork.Interrupted, CancelTime));
        FleetNews news = await end.Task.ConfigureAwait(false);
        _working.TryRemove(node, out _);                   // before it can be given to another
        cancellationToken.ThrowIfCancellationRequested();   // and the worker ends
        (long events, long position) = (node.Events, _journal.Appended);
        if (news is FleetNews.Built)
        {
            _idle.Writer.TryWrite(node);
        }

        // What is answered must be at home without this agent, which may die in the next moment.
        await ShippedAsync(position, cancellationToken).ConfigureAwait(false);
        if (news is FleetNews.Ended { End: { } exit })
        {
            return new FarmProjectEnd(begin, events, Result: null, $"{_site.Name}: {ExitBlock.Who(exit)}",
                [.. ExitBlock.Of(exit, string.Empty).Skip(1)]);
        }

        return new FarmProjectEnd(begin, events, ((FleetNews.Built)news).Result);
    }

    /// <summary>Ends the workers. The journal goes on to be shipped, and is removed behind that.</summary>
    /// <param name="reason">As of <see cref="StopWork"/>.</param>
    /// <returns>What they have done; the same for every call.</returns>
    public Task<FarmReport> EndAsync(string reason)
    {
        lock (_gate)
        {
            return _ending ??= Task.Run(() => EndOnceAsync(reason));
        }
    }

    /// <summary>Kills the workers at once.</summary>
    public void KillAll() => _fleet.KillAll();

    /// <summary>Ends the workers, waits until all that they have sent is at home, and removes the journal.</summary>
    /// <param name="reason">As of <see cref="StopWork"/>, if they have not been ended.</param>
    /// <param name="most">How long to wait; what is not shipped then is lost with the journal.</param>
    /// <returns>A task that never fails; the same for every call.</returns>
    public Task CloseAsync(string reason, TimeSpan most)
    {
        Task<FarmReport> ending = EndAsync(reason);
        lock (_gate)
        {
            return _closing ??= Task.Run(() => CloseOnceAsync(ending, most));
        }
    }

    private async Task CloseOnceAsync(Task<FarmReport> ending, TimeSpan most)
    {
        await ((Task)ending).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (_shipper is { } shipper)
        {
            await shipper.Completion.WaitAsync(most).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (!shipper.Completion.IsCompletedSuccessfully)
            {
                _site.Say($"events of build {Build?.Id} could not be shipped home"
                    + (shipper.Status.Problem is { } problem ? $": {problem}" : string.Empty));
            }

            await shipper.DisposeAsync().ConfigureAwait(false);
        }

        try
        {
            Directory.Delete(_folder, recursive: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            _site.Say($"{_folder} cannot be removed: {e.Message}");
        }
    }

    private async Task<FarmReport> EndOnceAsync(string reason)
    {
        _fleet.StopAll(reason);
        await _fleet.EndAsync(reason == StopWork.Interrupted ? InterruptedEndTime : EndTime).ConfigureAwait(false);
        NodeSummary[] nodes = await Task.WhenAll(_fleet.Nodes.Select(node => NodeReport.OfAsync(node))).ConfigureAwait(false);
        await _fleet.DisposeAsync().ConfigureAwait(false);
        try
        {
            await _journal.CloseAsync().ConfigureAwait(false);
        }
        catch (JournalException e)
        {
            _site.Say($"the journal of build {Build?.Id} has failed: {e.Message}");
        }

        return new FarmReport(
            Build is null ? null : _journal.Id, SummaryFile.Nodes(nodes.Select(node => node with { Id = _site.NodeOf(node.Id) })));
    }

    /// <summary>Waits until the server has all up to a position.</summary>
    private async Task ShippedAsync(long position, CancellationToken cancellationToken)
    {
        using var timer = new PeriodicTimer(Look);
        while (_shipper!.Status.Published < position)
        {
            if (_shipper.Completion.IsCompleted)
            {
                await _shipper.Completion.ConfigureAwait(false);
                return;
            }

            await timer.WaitForNextTickAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private JournalPacketStore StoreOf(string node) => new(_journal, new JournalNode(_site.NodeOf(node))) { WaitsForCapacity = false };

    private void Output(FleetNode node, OutputLine line) => _site.Say($"{node.Id} {(line.IsError ? "err" : "out")}: {line.Text}");

    private async Task<FleetNode> RentAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            if (!_idle.Reader.TryPeek(out _))
            {
                AddIfNeeded();
            }

            if (await _idle.Reader.ReadAsync(cancellationToken).ConfigureAwait(false) is { } node
                && !node.Worker.WaitForExitAsync().IsCompleted)
            {
                return node;
            }
        }
    }

    private void AddIfNeeded()
    {
        lock (_gate)
        {
            if (_failedStarts >= MostFailedStarts)
            {
                throw new HarnessException($"{MostFailedStarts} workers in a row ended before they were of use (agent {_site.Name})");
            }

            if (_ending is not null)
            {
                throw new HarnessException($"the build has ended at agent {_site.Name}");
            }

            if (_alive < _site.Workers)
            {
                _fleet.Add();
                _alive++;
            }
        }
    }

    /// <summary>Hears the fleet, until it ends.</summary>
    private async Task HearAsync()
    {
        await foreach (FleetNews news in _fleet.News.ReadAllAsync().ConfigureAwait(false))
        {
            switch (news)
            {
                case FleetNews.Ready ready:
                    _idle.Writer.TryWrite(ready.Node);
                    break;
                case FleetNews.Built built when _working.TryGetValue((FleetNode)built.Node, out var builder):
                    builder.TrySetResult(built);
                    break;
                case FleetNews.Ended ended:
                    End(ended);
                    break;
                case FleetNews.Failed failed:
                    Fail(failed.Fault.SourceException);
                    break;
            }
        }
    }

    /// <summary>Fails all that is being built: what was to hear of its end has failed.</summary>
    private void Fail(Exception fault)
    {
        _site.Say(Mistakes.Of(fault));
        foreach (TaskCompletionSource<FleetNews> builder in _working.Values)
        {
            builder.TrySetException(fault);
        }
    }

    private void End(FleetNews.Ended ended)
    {
        lock (_gate)
        {
            _alive--;
            _failedStarts = ended.End.Connected ? 0 : _failedStarts + 1;
        }

        _idle.Writer.TryWrite(null);   // who waits for a worker starts another
        if (_working.TryGetValue(ended.Node, out TaskCompletionSource<FleetNews>? builder))
        {
            builder.TrySetResult(ended);
        }
        else if (!ended.End.IsClean)
        {
            _site.Say($"{ExitBlock.Who(ended.End)} while it built nothing");
        }
    }
}
