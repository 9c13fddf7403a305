using System;
using System.Buffers;
using System.CommandLine;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Transport.MSBuild;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>The command <c>query</c>.</summary>
internal sealed class QueryCommand
{
    /// <summary>What the exit codes mean, for the help.</summary>
    public const string ExitCodes = "0 events were found; 1 none was; 2 bad usage, or no journal; 3 the journal cannot be read, or stdout "
        + "cannot be written.";

    private const int BatchBytes = 64 << 10;

    private readonly Argument<string?> _directory = new("DIR")
    {
        Description = "The journal's folder; by default that of this user's newest build.", Arity = ArgumentArity.ZeroOrOne,
    };

    private readonly Option<string[]> _projects =
        Names("--project", "Events of this project: its path, its file's name, or that without its ending.");

    private readonly Option<string[]> _targets = Names("--target", "Events of this target.");
    private readonly Option<string[]> _tasks = Names("--task", "Events of this task.");
    private readonly Option<string[]> _kinds = Names(
        "--kind", "Events of this kind: error, warning, message, or a name of docs/reference/build-events.md, as TargetStarted.");

    private readonly Option<string[]> _codes = Names("--code", "Diagnostics with this code, as CS0168.");
    private readonly Option<string[]> _texts = Names("--text", "Events whose text contains this, in any case.");
    private readonly Option<string?> _after = new("--after")
    {
        Description = "Events from this time on: +SECONDS since the build began, or a date and time (2026-11-26T12:55:03Z).",
    };

    private readonly Option<string?> _before = new("--before") { Description = "Events up to this time." };
    private readonly Option<string?> _build = BuildChoice.Option();
    private readonly Option<bool> _json = new("--json") { Description = "One JSON object a line, with every field." };
    private readonly Option<int?> _limit = new("--limit") { Description = "At most so many events." };
    private readonly Option<string?> _verbosity = new("-v", "--verbosity")
    {
        Description = "Only what MSBuild shows at this verbosity: quiet, minimal, normal, detailed; by default all.",
    };

    /// <summary>Initializes a new instance of the <see cref="QueryCommand"/> class.</summary>
    public QueryCommand()
    {
        _kinds.Validators.Add(result => JournalCommands.Check(result, result.Tokens.All(token => Enum.GetValues<BuildEventKind>()
            .Any(kind => EventFilter.IsKind(kind, token.Value))), "error, warning, message or a kind of event, as TargetStarted"));
        foreach (Option<string?> time in new[] { _after, _before })
        {
            time.Validators.Add(result => JournalCommands.Check(
                result, TimeOf(result.Tokens.LastOrDefault()?.Value) is not null, "+SECONDS, or a date and time"));
        }

        _verbosity.Validators.Add(result => JournalCommands.Check(
            result, BuildEventText.VerbosityOf(result.Tokens.LastOrDefault()?.Value) is not null,
            "quiet, minimal, normal, detailed or diagnostic"));
        _limit.Validators.Add(result => JournalCommands.Check(result, int.TryParse(result.Tokens.LastOrDefault()?.Value, NumberStyles.None,
            CultureInfo.InvariantCulture, out int limit) && limit > 0, "a number of events, 1 or more"));
        Command = new Command("query", "Prints events of a build, also while it runs, one a line: time since its beginning, project, "
            + "target, task, text. For people, scripts and agents. Options of one name add up; different ones must all hold.")
        {
            _directory, _projects, _targets, _tasks, _kinds, _codes, _texts, _after, _before, _verbosity, _limit, _build, _json,
        };
    }

    /// <summary>Gets the command.</summary>
    public Command Command { get; }

    /// <summary>Runs it.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="report">Writes a line to stderr.</param>
    /// <returns>The exit code.</returns>
    /// <exception cref="ToolException">The journal cannot be read, or stdout cannot be written.</exception>
    public int Run(ParseResult parsed, Action<string> report)
    {
        (long Ticks, bool FromStart)? after = TimeOf(parsed.GetValue(_after)), before = TimeOf(parsed.GetValue(_before));
        if (after is { } one && before is { } other && one.FromStart != other.FromStart)
        {
            throw new ToolException("query: --after and --before: expected both as +SECONDS, or both as dates.", ToolExitCodes.BadUsage);
        }

        var filter = new EventFilter
        {
            Projects = parsed.GetValue(_projects) ?? [],
            Targets = parsed.GetValue(_targets) ?? [],
            Tasks = parsed.GetValue(_tasks) ?? [],
            Kinds = parsed.GetValue(_kinds) ?? [],
            Codes = parsed.GetValue(_codes) ?? [],
            Texts = parsed.GetValue(_texts) ?? [],
            After = after?.Ticks,
            Before = before?.Ticks,
            FromStart = (after ?? before)?.FromStart ?? false,
            Verbosity = BuildEventText.VerbosityOf(parsed.GetValue(_verbosity)),
        };
        using BuildLog log = BuildLog.Open(parsed.GetValue(_directory), BuildChoice.Of(parsed.GetValue(_build)));
        int found = Print(log, filter, parsed.GetValue(_json), parsed.GetValue(_limit) ?? int.MaxValue);
        if (log.Remark is { } remark)
        {
            report($"query: {remark}");
        }

        return found > 0 ? ToolExitCodes.Success : ToolExitCodes.Invalid;
    }

    private static int Print(BuildLog log, EventFilter filter, bool asJson, int limit)
    {
        var names = new BuildNames();
        var lines = new ArrayBufferWriter<byte>(BatchBytes * 2);
        using Stream stdout = Console.OpenStandardOutput();
        using var json = new Utf8JsonWriter(lines, new JsonWriterOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping });
        long start = 0;
        int found = 0;
        foreach (LoggedEvent one in log.ReadAll())
        {
            start = start == 0 ? one.Event.Ticks : start;
            names.Take(one.Event);
            if (!filter.Takes(one.Event, names, start))
            {
                continue;
            }

            if (asJson)
            {
                WriteJson(json, one, names);
                lines.Write("\n"u8);
            }
            else
            {
                WriteLines(stdout, lines, one.Event, names, start);
            }

            if (++found == limit)
            {
                break;
            }

            if (lines.WrittenCount >= BatchBytes)
            {
                TerminalJson.Flush(stdout, lines);
            }
        }

        TerminalJson.Flush(stdout, lines);
        return found;
    }

    /// <summary>Writes an event, each line of it as it comes: one event may have millions.</summary>
    private static void WriteLines(Stream stdout, ArrayBufferWriter<byte> output, BuildEvent one, BuildNames names, long start)
    {
        string[] parts = [names.ProjectTitle(one), names.Target(one), names.Task(one)];
        string place = TerminalText.Line(string.Join(" › ", parts.Where(part => part.Length > 0)));
        string head = string.Create(CultureInfo.InvariantCulture,
            $"{new TimeSpan(one.Ticks - start).TotalSeconds,9:0.000} {place}{(place.Length > 0 ? ": " : string.Empty)}");
        foreach (string line in TerminalText.Lines(BuildEventText.Of(one)))
        {
            Encoding.UTF8.GetBytes(head, output);
            Encoding.UTF8.GetBytes(line, output);
            output.Write("\n"u8);
            head = "          | ";
            if (output.WrittenCount >= BatchBytes)
            {
                TerminalJson.Flush(stdout, output);
            }
        }
    }

    private static void WriteJson(Utf8JsonWriter json, LoggedEvent one, BuildNames names)
    {
        json.WriteStartObject();
        json.WriteNumber("position", one.Position);
        json.WriteNumber("build", one.Build);
        json.WriteString("node", one.Node);
        json.WriteString("project", names.Project(one.Event));
        json.WriteString("target", names.Target(one.Event));
        json.WriteString("task", names.Task(one.Event));
        json.WriteString("text", BuildEventText.Of(one.Event));
        json.WritePropertyName("event");
        BuildEventJson.Write(json, one.Event);
        json.WriteEndObject();
        json.Flush();
        json.Reset();
    }

    private static (long Ticks, bool FromStart)? TimeOf(string? word)
    {
        if (word is ['+', .. var seconds])
        {
            return double.TryParse(seconds, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double number) && number < 1e9
                ? ((long)(number * TimeSpan.TicksPerSecond), true) : null;
        }

        return DateTimeOffset.TryParse(word, CultureInfo.InvariantCulture, DateTimeStyles.AssumeLocal, out DateTimeOffset time)
            ? (time.UtcTicks, false) : null;
    }

    private static Option<string[]> Names(string name, string description) => new(name)
    {
        Description = description, Arity = ArgumentArity.ZeroOrMore,
    };
}
