using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Building;
using BuildHarness.Collecting;
using BuildHarness.Display;
using BuildHarness.Farm;
using BuildHarness.Journaling;
using BuildHarness.Log;
using BuildHarness.Packets;
using BuildHarness.Summary;
using BuildHarness.Worker;
using Transport;
using Transport.MSBuild;
using Transport.Terminal;

namespace BuildHarness.Commands;

/// <summary><c>build</c>: workers start and packages are restored, at the same time; then the main loop builds.</summary>
internal sealed class BuildCommand(
    BuildOptions options, string dotnet, Interrupt interrupt, IDisplay display, SummaryDuty duty, TimeProvider clock)
{
    /// <summary>How long workers get to end by themselves: after a clean build, and after an interrupt, which must be over within 5
    /// s.</summary>
    private static readonly TimeSpan EndTime = TimeSpan.FromSeconds(20), InterruptedEndTime = TimeSpan.FromSeconds(2.5);

    private static readonly TimeSpan DefaultStallTimeout = TimeSpan.FromSeconds(10);

    private readonly long _start = clock.GetTimestamp();
    private HarnessException? _fault;
    private ExceptionDispatchInfo? _unexpected;

    /// <summary>Lets <c>transport watch</c> find the build; a build does without if it cannot be.</summary>
    private static BuildNote? TryNote(string journal)
    {
        try
        {
            return new BuildNote(journal);
        }
        catch (Exception e) when (e is TransportException or IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <returns>The exit code.</returns>
    /// <exception cref="HarnessException">The harness cannot do its work; the summary is written all the same.</exception>
    public async Task<int> RunAsync()
    {
        WorkerFleet? fleet = null;
        EventLog? log = null;
        BuildTrace? trace = null;
        EventFeed? feed = null;
        RunJournal? journal = null;
        BuildNote? note = null;
        Collection? outputs = null;
        FarmHome? farm = null;
        var summary = new RunSummary { Succeeded = false, WallMs = 0 };
        try
        {
            SummaryFile.Check(options.Summary);
            log = options.Log is null ? null : EventLog.Create(options.Log, sentence => Fail(new HarnessException(sentence), fleet));
            trace = options.Trace is null ? null : BuildTrace.Create(options.Trace);
            feed = new EventFeed(display, log, options.Verbosity);
            journal = RunJournal.Open(
                options.Journal, ExitCodes.HarnessFault, WorkerFleet.LargestEvent, fault => Fail(fault, fleet), line => Warn(line, log));
            note = journal is { IsGivenUp: false } ? TryNote(options.Journal!.Directory) : null;
            outputs = options.CollectOutputs is null ? null : Collection.Open(
                options.CollectOutputs, options.Nodes, fault => Fail(fault, fleet), why => summary = summary with { Collected = why });
            fleet = WorkerFleet.Start(trace is null ? WorkerFleet.Builds : WorkerFleet.TracedBuilds, LinkSettings.Of(options),
                (node, packet) => feed.Take(node.Id, packet), (node, line) => Output(node, line, log), line => Warn(line, log),
                journal is null ? null : journal.StoreOf);
            fleet.Sampled = trace is null ? null : (node, sample) => trace.Sample(node.Id, sample, node.Link?.Counters.QueuedBytes ?? 0);
            fleet.Outputs = outputs;
            interrupt.AtOnce = fleet.KillAll;
            farm = options.Farm is null ? null : await JoinAsync(options.Farm, fleet, feed, log, journal).ConfigureAwait(false);
            summary = interrupt.ExitCode is not null ? summary
                : await BuildAsync(fleet, feed, trace, outputs, farm).ConfigureAwait(false);
        }
        finally
        {
            note?.Dispose();
            if (farm is not null)
            {
                await farm.DisposeAsync().ConfigureAwait(false);
            }

            if (fleet is not null)
            {
                await fleet.DisposeAsync().ConfigureAwait(false);
            }

            if (outputs is not null)
            {
                await outputs.DisposeAsync().ConfigureAwait(false);
                summary = summary.Collected is null ? summary with { Collected = outputs.NotPublished("the build has ended before") }
                    : summary;
                Remark(outputs, log);
            }

            JournalSummary? kept = journal is null ? null : await journal.CloseAsync().ConfigureAwait(false);
            log?.Dispose();
            trace?.Dispose();
            _fault ??= trace?.Fault is { } untraced ? new HarnessException(untraced) : null;
            summary = summary with { Journal = kept, WallMs = ElapsedMs(), Errors = feed?.Errors ?? 0, Warnings = feed?.Warnings ?? 0,
                Succeeded = summary.Succeeded && _fault is null };
            if (fleet is not null)
            {
                if (interrupt.ExitCode is null)
                {
                    feed?.RepeatErrors();
                }

                Close(summary);
            }

            // The summary comes after the last line: it must not call a success what ends with exit code 3 because nobody could see it.
            display.Drain();
            _fault ??= display.Fault is { } unseen ? new HarnessException(unseen) : null;
            WriteSummary(summary with { Succeeded = summary.Succeeded && _fault is null });
        }

        return _fault is not null ? throw _fault : interrupt.ExitCode ?? (summary.Succeeded ? ExitCodes.Success : ExitCodes.BuildFailed);
    }

    /// <returns>The farm; null: interrupted before.</returns>
    /// <exception cref="HarnessException">There is no server.</exception>
    private async Task<FarmHome?> JoinAsync(FarmSettings farm, WorkerFleet fleet, EventFeed feed, EventLog? log, RunJournal? journal)
    {
        try
        {
            return await FarmHome.StartAsync(
                farm, Path.GetDirectoryName(Path.GetFullPath(options.Path))!, SdkMSBuild.Version, LinkSettings.LevelOf(options),
                hasOwn: options.Nodes > 0, feed, journal is null ? null : journal.StoreOf, line => Say(line, BuildVerbosity.Minimal),
                line => Warn(TerminalText.Escape(line), log), fleet.Report, fault => Fail(fault, fleet), interrupt.Token)
                .ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (interrupt.ExitCode is not null)
        {
            return null;
        }
    }

    private async Task<RunSummary> BuildAsync(
        WorkerFleet fleet, EventFeed feed, BuildTrace? trace, Collection? outputs, FarmHome? farm)
    {
        using CancellationTokenRegistration stop = interrupt.Token.Register(() => fleet.Report(new FleetNews.Stop("interrupted")));
        using var preparing = CancellationTokenSource.CreateLinkedTokenSource(interrupt.Token);
        for (int i = 0; i < options.Nodes; i++)
        {
            fleet.Add();
        }

        var entry = new ProjectWork(Path.GetFullPath(options.Path), [.. options.GlobalProperties()], options.Targets);
        var loop = new BuildLoop(
            fleet, feed, display, options.Verbosity, entry, options.Severities.Packet, options.Nodes, clock, trace, outputs, farm);
        Task prepared = fleet.WatchAsync(() => PrepareAsync(fleet, feed, trace, preparing.Token));
        await GuardAsync(loop.RunAsync).ConfigureAwait(false);
        await preparing.CancelAsync().ConfigureAwait(false);
        string reason = loop.IsDone ? StopWork.Done : interrupt.ExitCode is null ? StopWork.GivenUp : StopWork.Interrupted;
        TimeSpan most = interrupt.ExitCode is null ? EndTime : InterruptedEndTime;
        fleet.StopAll(reason);
        Task<IReadOnlyList<AgentSummary>> ending = farm?.EndAsync(reason, most, loop.Projects())
            ?? Task.FromResult<IReadOnlyList<AgentSummary>>([]);
        await fleet.EndAsync(most).ConfigureAwait(false);
        IReadOnlyList<AgentSummary> agents = await ending.ConfigureAwait(false);
        await prepared.ConfigureAwait(false);
        await GuardAsync(() =>
        {
            loop.Finish();
            return Task.CompletedTask;
        }).ConfigureAwait(false);
        _unexpected?.Throw();
        NodeSummary[] nodes = await Task.WhenAll(fleet.Nodes.Select(node => NodeReport.OfAsync(node))).ConfigureAwait(false);
        CollectionSummary? collected = outputs is null ? null : await CollectAsync(outputs, loop.Succeeded).ConfigureAwait(false);
        return new RunSummary
        {
            Succeeded = loop.Succeeded && interrupt.ExitCode is null,
            WallMs = 0,
            Collected = collected,
            Projects = loop.Projects(),
            Nodes = nodes,
            Agents = agents,
            FarmPackets = farm?.Packets ?? 0,
            Refused = fleet.Refused,
        };
    }

    /// <summary>Runs a part of the build whose failure must not keep the workers from being stopped in order; the first failure
    /// counts.</summary>
    private async Task GuardAsync(Func<Task> part)
    {
        try
        {
            await part().ConfigureAwait(false);
        }
        catch (HarnessException e)
        {
            _fault ??= e;
        }
#pragma warning disable CA1031 // thrown again once the workers have ended
        catch (Exception e)
#pragma warning restore CA1031
        {
            _unexpected ??= ExceptionDispatchInfo.Capture(e);
        }
    }

    /// <summary>Publishes what was collected, or says why not.</summary>
    private async Task<CollectionSummary> CollectAsync(Collection outputs, bool isBuilt)
    {
        string why;
        try
        {
            if (isBuilt && _fault is null && interrupt.ExitCode is null)
            {
                CollectionSummary collected = await outputs.PublishAsync(interrupt.Token).ConfigureAwait(false);
                if (options.Verbosity >= BuildVerbosity.Minimal)
                {
                    display.Line($"collected {Counted.Of(collected.Projects.Sum(p => p.Files), "file")}, "
                        + $"{Counted.Of(collected.Projects.Sum(p => p.Bytes), "byte")} in "
                        + $"{TerminalText.Escape(options.CollectOutputs!)}", LineKind.Good);
                }

                return collected;
            }

            why = _fault?.Message ?? (interrupt.ExitCode is null ? "the build failed" : "the build was interrupted");
        }
        catch (OperationCanceledException) when (interrupt.ExitCode is not null)
        {
            why = "the build was interrupted";
        }
        catch (HarnessException e)
        {
            _fault ??= e;
            why = e.Message;
        }

        if (_fault is null)
        {
            // What has a fault is reported on stderr.
            display.Line($"nothing is collected in {TerminalText.Escape(options.CollectOutputs!)}: {why}", LineKind.Error);
        }

        return outputs.NotPublished(why);
    }

    private async Task PrepareAsync(WorkerFleet fleet, EventFeed feed, BuildTrace? trace, CancellationToken cancellation)
    {
        if (!options.Restore)
        {
            fleet.Report(new FleetNews.Prepared());
            return;
        }

        // For the time in which nothing is built yet.
        Say($"restoring {options.Path}", BuildVerbosity.Minimal);
        display.Node("main", "restores packages");
        TimeSpan stall = options.StallTimeout ?? DefaultStallTimeout;
        using ITimer watchdog = clock.CreateTimer(_ => ReportStillRestoring(), state: null, stall, stall);
        try
        {
            bool isRestored = await new RestoreStep(options, dotnet, feed, line => Say(line)).RunAsync(cancellation).ConfigureAwait(false);
            if (!cancellation.IsCancellationRequested)
            {
                fleet.Report(isRestored ? new FleetNews.Prepared() : new FleetNews.Stop("restore failed"));
            }
        }
        catch (HarnessException e)
        {
            Fail(e, fleet);
        }
        finally
        {
            trace?.Prepared("restore", _start);
            display.Node("main", activity: null);
        }
    }

    private void Fail(HarnessException fault, WorkerFleet? fleet)
    {
        _fault ??= fault;
        fleet?.Report(new FleetNews.Stop(fault.Message));
    }

    private void ReportStillRestoring() => display.Line(
        string.Create(CultureInfo.InvariantCulture, $"still restoring {options.Path} after {ElapsedMs() / 1000.0:0.0} s"),
        LineKind.Warning);

    private void Say(string line, BuildVerbosity least = BuildVerbosity.Normal)
    {
        if (options.Verbosity >= least)
        {
            display.Line(TerminalText.Escape(line));
        }
    }

    private void Output(FleetNode node, OutputLine line, EventLog? log)
    {
        string stream = line.IsError ? "err" : "out";
        log?.Lines($"{node.Id} {stream}: ", line.Text);
        if (options.Verbosity >= BuildVerbosity.Normal)
        {
            display.Line($"{node.Id} {stream}: {TerminalText.Escape(line.Text)}");
        }
    }

    private void Remark(Collection outputs, EventLog? log)
    {
        if (outputs.Remark is { } remark)
        {
            Warn(TerminalText.Escape(remark), log);
        }
    }

    private void Warn(string line, EventLog? log)
    {
        log?.Lines(string.Empty, line);
        display.Line(line, LineKind.Warning);
    }

    private void WriteSummary(RunSummary summary)
    {
        try
        {
            duty.Write(summary);
        }
        catch (HarnessException e)
        {
            // Only reported here: what has ended the build already may be on its way out.
            _fault ??= e;
        }
    }

    private void Close(RunSummary summary)
    {
        int built = Count("succeeded"), failed = Count("failed"), skipped = Count("skipped"), stopped = Count("stopped");
        string all = Counted.Of(summary.Projects.Count, "project");
        string projects = summary.Projects.Count == 0 && !summary.Succeeded ? "nothing was built"
            : built == summary.Projects.Count ? summary.Succeeded ? all : $"{all} (all built)"
            : $"{built} succeeded, {failed} failed, {skipped} skipped{(stopped == 0 ? string.Empty : $", {stopped} stopped")}";
        string result = interrupt.ExitCode is null ? summary.Succeeded ? "succeeded" : "failed" : "interrupted";
        display.Line(
            string.Create(CultureInfo.InvariantCulture, $"{result}: {projects}, {Counted.Of(summary.Warnings, "warning")}, "
                + $"{Counted.Of(summary.Errors, "error")}, {Packets(summary)}, "
                + $"{summary.WallMs / 1000.0:0.0} s"),
            summary.Succeeded ? LineKind.Good : LineKind.Error);
        foreach (AgentSummary agent in summary.Agents)
        {
            display.Line(agent.Line, agent.AllEvents is true ? LineKind.Plain : LineKind.Warning);
        }

        int Count(string what) => summary.Projects.Count(p => p.Result == what);
    }

    /// <summary>The packets that came; if a journal was kept, also how many of them it has: those that only set a link's tables are not
    /// in it.</summary>
    private static string Packets(RunSummary summary)
    {
        long received = summary.Nodes.Sum(n => n.Received) + summary.FarmPackets;
        string all = Counted.Of(received, "packet");
        return summary.Journal is not { Failure: null } journal ? all : string.Create(
            CultureInfo.InvariantCulture, $"{all} ({journal.Packets} in the journal, {received - journal.Packets} of tables)");
    }

    private long ElapsedMs() => (long)clock.GetElapsedTime(_start).TotalMilliseconds;
}
