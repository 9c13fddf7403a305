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
    private readonly ConcurrentDictionary<FleetNode, Channel<FleetNews>> _lent = new();   // what each one's loan has to hear
    private readonly Lock _gate = new();   // over the next four; while it is held the fleet is asked to add a worker, and nobody else
    private int _alive;
    private int _failedStarts;
    private Task<FarmReport>? _ending;
    private Task? _closing;
    private JournalShipper? _shipper;
    private INatsConnection? _connection;   // of the build: set with it
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
    public bool IsForgotten => Stopwatch.GetElapsedTime(Volatile.Read(ref _seen)) > FarmSettings.KeepFor;

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
        (Build, _connection) = (build, connection);
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

    /// <summary>Lends one of the workers, until home ends the build or the worker has ended.</summary>
    /// <param name="loan">The loan's id.</param>
    /// <param name="cancellationToken">Nobody wants it any more: its worker ends.</param>
    /// <exception cref="HarnessException">No worker can be started.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public async Task<FarmLoanEnd> LendAsync(string loan, CancellationToken cancellationToken)
    {
        FleetNode node = await RentAsync(cancellationToken).ConfigureAwait(false);
        var news = Channel.CreateUnbounded<FleetNews>(new UnboundedChannelOptions { SingleReader = true });
        _lent[node] = news;
        if (node.Worker.WaitForExitAsync().IsCompleted)
        {
            news.Writer.TryWrite(new FleetNews.Ended(node, await node.Worker.WaitForExitAsync().ConfigureAwait(false)));
        }

        using CancellationTokenRegistration cancelled = cancellationToken.Register(
            () => _ = WorkerFleet.StopAsync(node, StopWork.Interrupted, CancelTime));
        try
        {
            _ = node.Link!.SetLevels(Volatile.Read(ref _levels)!);   // before the first project, on the same link
            await using FarmPost post = await FarmPost.OpenAsync(
                _connection!, loan, isHome: false, letter => TakeAsync(node, letter),
                e => node.Worker.Kill($"what home wants of it cannot be read: {e.Message}")).ConfigureAwait(false);
            post.Send(FarmLoanBegin.PacketType, new FarmLoanBegin(_site.Id, _journal.Id, _site.NodeOf(node.Id)));
            _site.Say($"{node.Id} is lent to build {Build!.Id[..8]}");
            WorkerExit end = await ForwardAsync(news.Reader, post, cancellationToken).ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
            return new FarmLoanEnd(
                Refusal: null, $"{_site.Name}: {ExitBlock.Who(end)}", [.. ExitBlock.Of(end, string.Empty).Skip(1)]);
        }
        finally
        {
            // A loan that has ended otherwise has a worker that nobody hears any more.
            _lent.TryRemove(node, out _);
            if (!node.Worker.WaitForExitAsync().IsCompleted)
            {
                _ = WorkerFleet.StopAsync(node, StopWork.GivenUp, CancelTime);
            }
        }
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

    /// <summary>Hands on to the worker what home wants of it.</summary>
    private static Task TakeAsync(FleetNode node, FarmLetter letter)
    {
        if (letter.Type == StartSession.PacketType.Id)
        {
            node.Send(StartSession.PacketType, FarmPost.Read(StartSession.PacketType, letter));
        }
        else if (letter.Type == BuildProject.PacketType.Id)
        {
            BuildProject project = FarmPost.Read(BuildProject.PacketType, letter);
            node.Begin(project.Id);
            node.Activity = Path.GetFileNameWithoutExtension(project.Work.Path);
            node.Send(BuildProject.PacketType, project);
        }
        else if (letter.Type == AnswerProject.PacketType.Id)
        {
            node.Send(AnswerProject.PacketType, FarmPost.Read(AnswerProject.PacketType, letter));
        }
        else if (letter.Type == WatchProject.PacketType.Id)
        {
            node.Send(WatchProject.PacketType, FarmPost.Read(WatchProject.PacketType, letter));
        }

        return Task.CompletedTask;
    }

    /// <summary>Hands on to home what the worker says, until it has ended.</summary>
    private async Task<WorkerExit> ForwardAsync(ChannelReader<FleetNews> news, FarmPost post, CancellationToken cancellationToken)
    {
        await foreach (FleetNews one in news.ReadAllAsync(CancellationToken.None).ConfigureAwait(false))
        {
            switch (one)
            {
                case FleetNews.Evaluated evaluated:
                    post.Send(ProjectEvaluated.PacketType, evaluated.Project);
                    break;
                case FleetNews.Asked asked:
                    post.Send(AskProject.PacketType, asked.Question);
                    break;
                case FleetNews.StandsStill still:
                    post.Send(ProjectStandsStill.PacketType, still.Request);
                    break;
                case FleetNews.Built built:
                    // What is answered must be at home without this agent, which may die in the next moment.
                    long events = ((FleetNode)built.Node).Events;
                    await ShippedAsync(_journal.Appended, cancellationToken).ConfigureAwait(false);
                    post.Send(ProjectBuilt.PacketType, built.Result, events);
                    break;
                case FleetNews.Ended ended:
                    await ShippedAsync(_journal.Appended, cancellationToken).ConfigureAwait(false);
                    return ended.End;
                case FleetNews.Failed failed:
                    failed.Fault.Throw();
                    break;
            }
        }

        throw new HarnessException($"agent {_site.Name} has lost sight of a worker");
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
                    _idle.Writer.TryWrite((FleetNode)ready.Node);
                    break;
                case FleetNews.Said said:
                    Tell((FleetNode)said.Node, said);
                    break;
                case FleetNews.Ended ended:
                    End(ended);
                    break;
                case FleetNews.Failed failed:
                    _site.Say(Mistakes.Of(failed.Fault.SourceException));
                    foreach (Channel<FleetNews> loan in _lent.Values)
                    {
                        loan.Writer.TryWrite(failed);
                    }

                    break;
            }
        }
    }

    private bool Tell(FleetNode node, FleetNews news) =>
        _lent.TryGetValue(node, out Channel<FleetNews>? loan) && loan.Writer.TryWrite(news);

    private void End(FleetNews.Ended ended)
    {
        lock (_gate)
        {
            _alive--;
            _failedStarts = ended.End.Connected ? 0 : _failedStarts + 1;
        }

        _idle.Writer.TryWrite(null);   // who waits for a worker starts another
        if (!Tell(ended.Node, ended) && !ended.End.IsClean)
        {
            _site.Say($"{ExitBlock.Who(ended.End)} while it built nothing");
        }
    }
}
