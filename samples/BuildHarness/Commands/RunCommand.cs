using System;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Building;
using BuildHarness.Display;
using BuildHarness.Journaling;
using BuildHarness.Run;
using BuildHarness.Summary;
using Transport;
using Transport.Terminal;

namespace BuildHarness.Commands;

/// <summary><c>run</c>: one program of any language as a worker.</summary>
internal sealed class RunCommand(RunOptions options, Interrupt interrupt, SummaryDuty duty, TimeProvider clock)
{
    /// <summary>After an interrupt everything must be over within 5 s.</summary>
    private static readonly TimeSpan InterruptedEndTime = TimeSpan.FromSeconds(2.5);

    private readonly long _start = clock.GetTimestamp();
    private readonly CancellationTokenSource _stop = new();
    private HarnessException? _fault;

    /// <returns>The exit code: the program's own as a shell gives it, or one of the harness's.</returns>
    /// <exception cref="HarnessException">The program cannot be started, or the harness cannot do its work. The summary is written all the
    /// same.</exception>
    public async Task<int> RunAsync()
    {
        var summary = new RunSummary { Succeeded = false, WallMs = 0 };
        int exitCode = ExitCodes.RunFault;
        try
        {
            SummaryFile.Check(options.Summary, ExitCodes.RunFault);
            using var stdout = new StdoutQueue(Console.OpenStandardOutput(), interrupt.Token, clock);
            using var sinks = new RunSinks(options.Log, stdout, Fail, clock);
            MainNodeOptions settings = LinkSettings.Of(options);
            RunJournal? journal = RunJournal.Open(
                options.Journal, ExitCodes.RunFault, settings.Link.MaxPacketBytes, Fail, line => sinks.Block([TerminalText.Escape(line)]));
            JournalSummary? kept = null;
            try
            {
                (summary, exitCode) = await RunAsync(settings, sinks, journal).ConfigureAwait(false);
            }
            finally
            {
                kept = journal is null ? null : await journal.CloseAsync().ConfigureAwait(false);
            }

            summary = summary with { Journal = kept };
            stdout.Drain();
            if (stdout.Fault is { } unseen)
            {
                _fault ??= new HarnessException(unseen, ExitCodes.RunFault);
            }
        }
        catch (HarnessException e)
        {
            _fault ??= e;
        }

        exitCode = interrupt.ExitCode ?? _fault?.ExitCode ?? exitCode;
        summary = summary with { Succeeded = exitCode == 0, WallMs = (long)clock.GetElapsedTime(_start).TotalMilliseconds };
        try
        {
            duty.Write(summary);
        }
        catch (HarnessException e)
        {
            _fault ??= new HarnessException(e.Message, ExitCodes.RunFault);
        }

        return _fault is null ? exitCode : throw _fault;
    }

    private async Task<(RunSummary Summary, int ExitCode)> RunAsync(MainNodeOptions settings, RunSinks sinks, RunJournal? journal)
    {
        MainNode main = Start(settings);
        await using (main.ConfigureAwait(false))
        {
            const string Node = "n1";

            // The program shares this terminal: it reads the same input, and Ctrl+C reaches it as it reaches us.
            var start = new WorkerStartOptions(options.Program, [.. options.Arguments])
            {
                Node = Node, InheritStandardInput = true, Output = line => sinks.Write(Node, line),
            };
            sinks.AddTo(start.Router, Node);
            if (journal is not null)
            {
                start.Router.UseStore(journal.StoreOf(Node));
            }

            WorkerProcess worker = StartWorker(main, start);
            worker.CurrentActivity = options.Program;
            var stalls = new StallLog(Node);
            stalls.Follow(worker, line => sinks.Block([line]));
            _ = FollowAsync(worker, stalls, sinks);
            interrupt.AtOnce = () => worker.Kill("interrupted");
            using CancellationTokenRegistration interrupted = interrupt.Token.Register(_stop.Cancel);
            using CancellationTokenRegistration stop = _stop.Token.Register(() => _ = worker.StopAsync("interrupted", InterruptedEndTime));
            WorkerExit end = await worker.WaitForExitAsync().ConfigureAwait(false);
            sinks.Complete(Node);
            Explain(end, sinks);
            Link? link = end.Connected ? await worker.WaitForLinkAsync().ConfigureAwait(false) : null;
            NodeSummary report = NodeReport.Of(Node, link, end, sinks.Events, stalls.Stalls);
            return (new RunSummary { Succeeded = false, WallMs = 0, Nodes = [report], Refused = main.RefusedConnections }, ExitCodeOf(end));
        }
    }

    private static WorkerProcess StartWorker(MainNode main, WorkerStartOptions start)
    {
        try
        {
            return main.StartWorker(start);
        }
        catch (TransportException e) when (e.Fault == TransportFault.StartFailed)
        {
            // As a shell exits.
            throw new HarnessException(e.Message, e.Code switch { "not-found" => 127, "not-executable" => 126, _ => 125 });
        }
    }

    private static async Task FollowAsync(WorkerProcess worker, StallLog stalls, RunSinks sinks)
    {
        try
        {
            stalls.Follow(worker, await worker.WaitForLinkAsync().ConfigureAwait(false), line => sinks.Block([line]));
        }
        catch (TransportException)
        {
            // Its end says why.
        }
    }

    private static int ExitCodeOf(WorkerExit end)
    {
        int own = end.Process.ShellExitCode;
        return own == 0 && end.Cause is not ("clean" or "exit 0") ? ExitCodes.RunFault : own;
    }

    private void Explain(WorkerExit end, RunSinks sinks)
    {
        if (end.Cause is "clean" or "exit 0" || interrupt.ExitCode is not null || _fault is not null)
        {
            return;
        }

        string first = $"{ExitBlock.Who(end)} while it ran {options.Program}";
        sinks.Block(ExitBlock.Of(end, first), ExitBlock.Whole(end, first));
        if (ExitCodeOf(end) == ExitCodes.RunFault)
        {
            // An exit code of the harness's own: stderr says why.
            string reason = end.Link is { IsClean: false, Reason: { Length: > 0 } sentence } ? $": {sentence}" : string.Empty;
            Stderr.Report(string.Create(CultureInfo.InvariantCulture,
                $"buildharness: {end.Node} (pid {end.ProcessId}) {end.Cause}{reason}"));
        }
    }

    private static MainNode Start(MainNodeOptions settings)
    {
        try
        {
            return MainNode.Start(settings);
        }
        catch (Exception e) when (e is TransportException or ArgumentException)
        {
            throw new HarnessException(e.Message, ExitCodes.RunFault);
        }
    }

    private void Fail(HarnessException fault)
    {
        _fault ??= fault;
        _stop.Cancel();
    }
}
