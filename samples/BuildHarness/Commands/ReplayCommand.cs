using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Building;
using BuildHarness.Display;
using BuildHarness.Journaling;
using BuildHarness.Packets;
using BuildHarness.Replay;
using BuildHarness.Summary;
using Transport;
using Transport.Journal;
using Transport.MSBuild;
using Transport.Terminal;

namespace BuildHarness.Commands;

/// <summary><c>replay</c>: every worker sends the same recorded build, and the main node compares what it rebuilt with what it reads
/// itself.</summary>
internal sealed class ReplayCommand(ReplayOptions options, Interrupt interrupt, IDisplay display, SummaryDuty duty, TimeProvider clock)
{
    private static readonly TimeSpan EndTime = TimeSpan.FromSeconds(20), InterruptedEndTime = TimeSpan.FromSeconds(2.5);

    private readonly ConcurrentDictionary<string, ReplayLedger> _ledgers = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, string> _errors = new(StringComparer.Ordinal);
    private readonly long _start = clock.GetTimestamp();
    private readonly ConcurrentDictionary<string, string?> _recordedNodes = new(StringComparer.Ordinal);
    private HarnessException? _fault;
    private string[] _recorded = [];   // the nodes of a journal, if each gets a worker
    private long _through;

    private bool IsJournal => Directory.Exists(options.File);

    private string FullPath => Path.GetFullPath(options.File);

    /// <returns>The exit code.</returns>
    /// <exception cref="HarnessException">The file is missing or no binary log; the harness cannot do its work. The summary is written all
    /// the same.</exception>
    public async Task<int> RunAsync()
    {
        var summary = new RunSummary { Succeeded = false, WallMs = 0 };
        try
        {
            if (!File.Exists(options.File) && !IsJournal)
            {
                throw new HarnessException($"{options.File} does not exist.", ExitCodes.BadUsage);
            }

            CheckKind();
            SummaryFile.Check(options.Summary);
            bool isValid = !IsJournal || LookAtJournal();
            summary = await RunAsync(Warn).ConfigureAwait(false);
            summary = summary with { Succeeded = summary.Succeeded && isValid };
        }
        catch (HarnessException e)
        {
            _fault ??= e;
        }

        summary = summary with { WallMs = (long)clock.GetElapsedTime(_start).TotalMilliseconds, Succeeded = summary.Succeeded
            && _fault is null, Errors = _errors.Count };
        if (_fault is null)
        {
            Close(summary);
        }

        // The summary comes after the last line: it must not call a success what ends with exit code 3 because nobody could see it.
        display.Drain();
        _fault ??= display.Fault is { } unseen ? new HarnessException(unseen) : null;
        WriteSummary(summary with { Succeeded = summary.Succeeded && _fault is null });
        return _fault is not null ? throw _fault : interrupt.ExitCode ?? (summary.Succeeded ? ExitCodes.Success : ExitCodes.BuildFailed);
    }

    private async Task<RunSummary> RunAsync(Action<string> warn)
    {
        WorkerFleet? fleet = null;
        RunJournal? journal =
            RunJournal.Open(options.Journal, ExitCodes.HarnessFault, WorkerFleet.LargestEvent, fault => Fail(fault, fleet), warn);
        RunSummary summary;
        JournalSummary? kept = null;
        try
        {
            fleet = WorkerFleet.Start(
                WorkerFleet.Replays, LinkSettings.Of(options), (node, packet) => _ledgers[node.Id].Take(packet), Output, warn,
                journal is null ? null : journal.StoreOf);
            await using (fleet.ConfigureAwait(false))
            {
                interrupt.AtOnce = fleet.KillAll;
                summary = await ReplayAsync(fleet).ConfigureAwait(false);
            }
        }
        finally
        {
            kept = journal is null ? null : await journal.CloseAsync().ConfigureAwait(false);
        }

        return summary with { Journal = kept };
    }

    /// <summary>Says of a file that is neither what it is not, before any reader says what it missed in it.</summary>
    private void CheckKind()
    {
        try
        {
            if (!IsJournal && !BinaryLog.IsBinaryLog(options.File))
            {
                throw NeitherKind("a binary log begins with the two bytes 1f 8b of gzip, and a journal is a directory");
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new HarnessException($"{options.File} cannot be read: {e.Message}", ExitCodes.BadUsage);
        }
    }

    private HarnessException NeitherKind(string why) =>
        new($"{options.File} is neither a binary log nor the directory of a journal: {why}.", ExitCodes.BadUsage);

    /// <summary>Finds out how much of the journal there is to replay: what it holds now, though it may be growing.</summary>
    /// <returns>False if something is missing in between.</returns>
    private bool LookAtJournal()
    {
        try
        {
            JournalSurvey survey = PacketJournal.Survey(options.File);
            JournalReport report = survey.Report;
            _through = report.LastPosition;
            _recorded = options.HasNodes ? [] : [.. survey.Counts.Where(count => RecordedJournal.IsReplayed(count.Type))
                .Select(count => count.Node).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal)];
            if (_recorded.Length > CommandSyntax.MostNodes)
            {
                Warn(string.Create(CultureInfo.InvariantCulture, $"{options.File} has packets of {_recorded.Length} nodes and at most ")
                    + $"{CommandSyntax.MostNodes} workers run at once: {Counted.Of(options.Nodes, "worker")} will send all of them each");
                _recorded = [];
            }

            if (!report.IsValid)
            {
                Warn($"{options.File}: {report}");
            }

            return report.Condition != JournalCondition.Damaged;
        }
        catch (JournalException e) when (e.Fault == JournalFault.NotAJournal)
        {
            throw NeitherKind(e.Message.TrimEnd('.'));
        }
        catch (JournalException e)
        {
            throw FaultOf(e);
        }
    }

    private void Warn(string line) => display.Line(TerminalText.Escape(line), LineKind.Warning);

    private void Fail(HarnessException fault, WorkerFleet? fleet)
    {
        _fault ??= fault;
        fleet?.Report(new FleetNews.Stop(fault.Message));
    }

    private async Task<RunSummary> ReplayAsync(WorkerFleet fleet)
    {
        using CancellationTokenRegistration stop = interrupt.Token.Register(() => fleet.Report(new FleetNews.Stop("interrupted")));
        for (int i = 0; i < (_recorded.Length > 0 ? _recorded.Length : options.Nodes); i++)
        {
            // The ledger must be there before the first event can come: the next name is known before the worker is.
            string? recorded = _recorded.Length > 0 ? _recorded[i] : null;
            fleet.Add(id =>
            {
                _ledgers[id] = new ReplayLedger();
                _recordedNodes[id] = recorded;
            });
        }

        Task<Expected?> expected = Task.Run(ReadExpected);
        await HearAsync(fleet, expected).ConfigureAwait(false);
        fleet.StopAll(interrupt.ExitCode is not null ? StopWork.Interrupted : _fault is not null ? StopWork.GivenUp : StopWork.Done);
        await fleet.EndAsync(interrupt.ExitCode is null ? EndTime : InterruptedEndTime).ConfigureAwait(false);
        NodeSummary[] nodes = await Task.WhenAll(fleet.Nodes.Select(node => NodeReport.OfAsync(node, _ledgers[node.Id].Finish())))
            .ConfigureAwait(false);
        Expected? read = interrupt.ExitCode is null ? await expected.ConfigureAwait(false) : null;
        foreach (ReplayLedger ledger in _ledgers.Values)
        {
            ledger.Dispose();
        }

        nodes = [.. nodes.Select(node => Judge(node, read))];
        bool equal = read is not null && nodes.All(node => node.IsAsExpected && node.End == "clean");
        return new RunSummary
        {
            Succeeded = equal, WallMs = 0, Nodes = nodes, Refused = fleet.Refused,
            ExpectedHash = _recorded.Length > 0 ? null : read?.Of(null).Hash,
        };
    }

    /// <summary>Reports what a worker should have sent.</summary>
    private NodeSummary Judge(NodeSummary node, Expected? read)
    {
        string? recorded = _recordedNodes.GetValueOrDefault(node.Id);
        (string? hash, long events) = read?.Of(recorded) ?? default;
        return node with { Recorded = recorded, ExpectedHash = hash, ExpectedEvents = events };
    }

    /// <summary>Asks each worker for what it should send as it connects, until all have done so or ended.</summary>
    private async Task HearAsync(WorkerFleet fleet, Task<Expected?> expected)
    {
        var open = new HashSet<FleetNode>(fleet.Nodes);
        Task bad = fleet.WatchAsync(() => StopIfUnreadableAsync(expected, fleet));
        while (open.Count > 0)
        {
            switch (await fleet.News.ReadAsync().ConfigureAwait(false))
            {
                case FleetNews.Ready { Node: FleetNode node }:
                    display.Node(node.Id, "replays");
                    node.Begin(FleetNode.Recording);
                    node.Activity = options.File;
                    _ = node.Link!.TrySend(ReplayFile.PacketType, new ReplayFile(
                        FullPath, _through, _recordedNodes.GetValueOrDefault(node.Id)));
                    break;
                case FleetNews.Replayed replayed:
                    display.Node(replayed.Node.Id, string.Empty);
                    if (replayed.Result.Error is { } error)
                    {
                        Error(replayed.Node.Id, $"{replayed.Node.Id} could not read {options.File}: {error}");
                    }

                    open.Remove(replayed.Node);
                    break;
                case FleetNews.Ended ended:
                    if (open.Remove(ended.Node))
                    {
                        _errors[ended.Node.Id] = ended.End.Cause;
                        display.Block(ExitBlock.Of(ended.End, $"{ExitBlock.Who(ended.End)} before it had sent all of {options.File}"),
                            LineKind.Error);
                    }

                    break;
                case FleetNews.Failed failed:
                    failed.Fault.Throw();
                    break;
                case FleetNews.Stop:
                    return;
            }

            display.Progress(fleet.Nodes.Count - open.Count, fleet.Nodes.Count, fleet.Nodes.Sum(n => n.Events));
        }

        await bad.ConfigureAwait(false);
    }

    private static async Task StopIfUnreadableAsync(Task<Expected?> expected, WorkerFleet fleet)
    {
        if (await expected.ConfigureAwait(false) is null)
        {
            fleet.Report(new FleetNews.Stop("the file cannot be read"));
        }
    }

    private Expected? ReadExpected()
    {
        try
        {
            using var expected = new Expected(isByNode: _recorded.Length > 0);
            if (IsJournal)
            {
                RecordedJournal.Read(FullPath, _through, node: null, expected.Add, expected.Add);
            }
            else
            {
                BinaryLog.Read(FullPath, one => expected.Add(string.Empty, one));
            }

            expected.Finish();
            return expected.Events > 0 || IsJournal ? expected : throw new InvalidDataException("it holds no event");
        }
        catch (Exception e) when (e is InvalidDataException or IOException or UnauthorizedAccessException)
        {
            _fault ??= new HarnessException(
                $"{options.File} is no {(IsJournal ? "journal" : "binary log")} that can be read: {e.Message}", ExitCodes.BadUsage);
            return null;
        }
    }

    private string Verdict(RunSummary summary) =>
        interrupt.ExitCode is not null ? "interrupted" : summary.Succeeded ? "succeeded" : "failed";

    private HarnessException FaultOf(JournalException e)
    {
        int exitCode = e.Fault switch
        {
            JournalFault.Compacted => ExitCodes.BadUsage,
            JournalFault.Damaged => ExitCodes.BuildFailed,
            _ => ExitCodes.HarnessFault,
        };
        return new HarnessException(
            e.Message.Contains(options.File, StringComparison.Ordinal) ? e.Message : $"{options.File}: {e.Message}", exitCode);
    }

    private void Error(string node, string sentence)
    {
        _errors[node] = sentence;
        display.Line(TerminalText.Escape(sentence), LineKind.Error);
    }

    private void Output(FleetNode node, OutputLine line) =>
        display.Line($"{node.Id} {(line.IsError ? "err" : "out")}: {TerminalText.Escape(line.Text)}");

    private void WriteSummary(RunSummary summary)
    {
        try
        {
            duty.Write(summary);
        }
        catch (HarnessException e)
        {
            _fault ??= e;
        }
    }

    private void Close(RunSummary summary)
    {
        // Of an interrupted replay nothing is compared.
        foreach (NodeSummary node in interrupt.ExitCode is null ? summary.Nodes : [])
        {
            bool equal = node.IsAsExpected;
            string recorded = node.Recorded is null ? string.Empty : $" (recorded {TerminalText.Line(node.Recorded, 64)})";
            display.Line(
                string.Create(CultureInfo.InvariantCulture, $"{node.Id}{recorded}: {node.Events} of "
                    + $"{Counted.Of(node.ExpectedEvents, "event")}, "
                    + $"{Counted.Of(node.Bytes, "byte")}, hash {(equal ? "equal" : "not equal")}, end {node.End}"),
                equal ? LineKind.Good : LineKind.Error);
        }

        display.Line(
            string.Create(CultureInfo.InvariantCulture, $"{Verdict(summary)}: {Counted.Of(summary.Nodes.Sum(n => n.Events), "event")}, "
                + $"{Counted.Of(summary.Nodes.Sum(n => n.Received), "packet")}, {summary.WallMs / 1000.0:0.0} s"),
            summary.Succeeded ? LineKind.Good : LineKind.Error);
    }
}
