using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using BuildHarness.Display;
using BuildHarness.Log;
using BuildHarness.Packets;
using Transport;
using Transport.MSBuild;

namespace BuildHarness.Building;

/// <summary>Takes every event of every node: counts it, writes it to the log, shows it if the verbosity asks for it. Called on the
/// links' receive loops.</summary>
/// <param name="display">Shows lines.</param>
/// <param name="log">The log file, or null.</param>
/// <param name="verbosity">What is shown.</param>
internal sealed class EventFeed(IDisplay display, EventLog? log, BuildVerbosity verbosity)
{
    /// <summary>As many errors are shown once more at the end.</summary>
    private const int MostRepeated = 50;

    /// <summary>MSBuild's warning of a task that it ended because the build was cancelled.</summary>
    private const string TaskEnded = "MSB5021";

    /// <summary>MSBuild's error of a file that is no project or solution, and how a line of its stack looks.</summary>
    private const string NotLoaded = "MSB4025", StackFrame = "   at ";

    private readonly DiagnosticLedger _ledger = new();
    private readonly Lock _gate = new();
    private readonly List<string> _shownErrors = [];
    private volatile bool _isStopping;   // set once, by the main loop
    private long _events;
    private long _errors;
    private long _warnings;

    public long Events => Interlocked.Read(ref _events);

    public long Errors => Interlocked.Read(ref _errors);

    public long Warnings => Interlocked.Read(ref _warnings);

    /// <summary>Reports that the build was asked to stop: from now on MSBuild's own warnings of tasks that it ends are not
    /// counted.</summary>
    public void Stop() => _isStopping = true;

    /// <summary>Shows the errors once more, for the end of a long build.</summary>
    public void RepeatErrors()
    {
        string[] errors;
        lock (_gate)
        {
            errors = [.. _shownErrors];
        }

        if (errors.Length > 0)
        {
            display.Line("Errors of this build:");
        }

        foreach (string error in errors)
        {
            Show(error, LineKind.Error, prefix: "  ");
        }

        if (errors.Length == MostRepeated && Errors > errors.Length)
        {
            display.Line($"  and {Errors - errors.Length} more, above");
        }
    }

    /// <summary>Reports that a worker has died: what it had is built once more, and reports again.</summary>
    public void Ended(string node) => _ledger.Ended(node);

    /// <summary>Takes an event as its packet, on loan, or what a project was evaluated to. What nobody will look at is counted but not
    /// rebuilt.</summary>
    public void Take(string node, in RawPacket packet)
    {
        if (packet.Type == ProjectEvaluated.PacketType.Id)
        {
            _ledger.Evaluated(packet.Read(ProjectEvaluated.PacketType));
            return;
        }

        Interlocked.Increment(ref _events);
        BuildEventKind kind = KindOf(packet.Encoded);
        if (log is not null || kind == BuildEventKind.ProjectStarted || BuildEventText.LevelOf(kind) <= verbosity)
        {
            Take(node, packet.Read(BuildEvent.PacketType));
        }
    }

    /// <summary>Takes an event of a step before the build (restore): its diagnostics are shown and count, everything goes into the
    /// log.</summary>
    /// <param name="source">The step.</param>
    /// <param name="one">The event.</param>
    public void Step(string source, BuildEvent one)
    {
        log?.Event(source, one, string.Empty);
        bool isError = BuildEventText.IsError(one.Kind);
        if (isError || BuildEventText.IsWarning(one.Kind))
        {
            Count(TextOf(one, string.Empty), isError);
        }
    }

    /// <summary>Takes what a step of the harness itself has to say (the restore), as if a node had said it.</summary>
    public void Diagnostic(string source, string text, bool isError)
    {
        log?.Lines(source + ": ", text);
        Count(text, isError);
    }

    /// <summary>Shows how a worker ended, as one block, and writes it to the log.</summary>
    /// <param name="end">The end.</param>
    /// <param name="first">The block's first line.</param>
    /// <param name="isError">It is an error of the build too, and counts as one.</param>
    public void Exit(WorkerExit end, string first, bool isError = false) =>
        Exit(end.Node, ExitBlock.Of(end, first), ExitBlock.Whole(end, first), isError);

    /// <summary>Shows how a worker of another machine ended.</summary>
    /// <param name="node">Where it was.</param>
    /// <param name="first">The block's first line.</param>
    /// <param name="details">The others, as that machine has made them.</param>
    /// <param name="isError">It is an error of the build too, and counts as one.</param>
    public void Exit(string node, string first, IReadOnlyList<string> details, bool isError)
    {
        IReadOnlyList<string> lines = [TerminalText.Escape(first), .. details.Select(TerminalText.Escape)];
        Exit(node, lines, lines, isError);
    }

    private void Exit(string node, IReadOnlyList<string> shown, IReadOnlyList<string> whole, bool isError)
    {
        if (isError)
        {
            Interlocked.Increment(ref _errors);
            Remember(shown[0], isError);
        }

        log?.Lines(node + ": ", string.Join('\n', whole));
        display.Block(shown, isError ? LineKind.Error : LineKind.Warning);
    }

    private void Take(string node, BuildEvent one)
    {
        if (one.Kind == BuildEventKind.ProjectStarted)
        {
            _ledger.Begin(node, one);
        }

        string framework = _ledger.Framework(node, one);
        log?.Event(node, one, framework);
        bool isError = BuildEventText.IsError(one.Kind), isWarning = BuildEventText.IsWarning(one.Kind);
        if (!isError && !isWarning && BuildEventText.LevelOf(one) > verbosity)
        {
            return;
        }

        string text = TextOf(one, framework);
        if (!isError && !isWarning)
        {
            Show(text, LineKind.Plain, node + " ");
        }
        else if (!(_isStopping && isWarning && one.Text("Code") == TaskEnded) && _ledger.Count(node, one, text))
        {
            Count(text, isError);
        }
    }

    /// <summary>Of a solution that cannot be read MSBuild says why, and then where in its own code that was found, which helps
    /// nobody.</summary>
    private static string TextOf(BuildEvent one, string framework)
    {
        string text = BuildEventText.Of(one, framework);
        return one.Text("Code") != NotLoaded ? text
            : string.Join('\n', text.Split('\n').Where(line => !line.Contains(StackFrame, StringComparison.Ordinal)));
    }

    private void Count(string text, bool isError)
    {
        Remember(text, isError);
        Interlocked.Increment(ref isError ? ref _errors : ref _warnings);
        Show(text, isError ? LineKind.Error : LineKind.Warning, prefix: string.Empty);
    }

    private void Remember(string text, bool isError)
    {
        lock (_gate)
        {
            if (isError && _shownErrors.Count < MostRepeated)
            {
                _shownErrors.Add(text);
            }
        }
    }

    private void Show(string text, LineKind kind, string prefix)
    {
        foreach (string line in TerminalText.Lines(text))
        {
            // At diagnostic many messages are nothing but an empty line.
            if (line.Length > 0)
            {
                display.Line(prefix + line, kind);
            }
        }
    }

    private static BuildEventKind KindOf(ReadOnlySpan<byte> body)
    {
        var reader = new PacketReader(body);
        reader.ReadArrayHeader(atLeast: 1);
        return (BuildEventKind)reader.ReadInt32();
    }
}
