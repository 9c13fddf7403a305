using System;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Linq;
using System.Threading.Tasks;
using Transport.Journal;
using Transport.MSBuild;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>The commands <c>journal verify|dump|stat|compact</c> and <c>follow</c>, for a program to add to its own. One thread.</summary>
internal sealed class JournalCommands
{
    private readonly Argument<string> _directory = new("DIR") { Description = "The journal's directory." };
    private readonly Option<long> _from = new("--from") { Description = "The first position to show; the oldest by default." };
    private readonly Option<string[]> _nodes = new("--node")
    {
        Description = "Shows only this node's packets; may be given again.", Arity = ArgumentArity.ZeroOrMore,
    };
    private readonly Option<int[]> _types = new("--type")
    {
        Description = "Shows only packets of this type (a number); may be given again.", Arity = ArgumentArity.ZeroOrMore,
    };
    private readonly Option<string> _verbosity = new("-v", "--verbosity")
    {
        Description = "Which build events are shown: quiet (diagnostics), minimal (and critical messages), normal (and important "
            + "messages), detailed, diagnostic (all events).",
        DefaultValueFactory = _ => "normal",
    };
    private readonly Option<long?> _maxBytes = new("--max-bytes")
    {
        Description = "Drops the oldest until the files have at most so many bytes together.",
    };
    private readonly Option<double?> _maxAge = new("--max-age") { Description = "Drops what is older than so many hours." };
    private readonly Option<long?> _below = new("--below") { Description =
        "Drops what nobody needs any more: packets below this position. With one of the others: nothing at or above it is dropped." };
    private readonly Command _verify, _dump, _stat, _compact;
    private readonly Lazy<JournalTool> _tool;

    /// <summary>Initializes a new instance of the <see cref="JournalCommands"/> class.</summary>
    /// <param name="program">The program's name, which begins what it says on stderr.</param>
    /// <param name="packets">Creates the packet types that are shown by name and decoded; asked if one of these commands runs.</param>
    /// <param name="report">Writes a line to stderr, escaped; must not throw.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public JournalCommands(string program, Func<PacketCatalog> packets, Action<string> report)
    {
        ArgumentNullException.ThrowIfNull(program);
        ArgumentNullException.ThrowIfNull(packets);
        ArgumentNullException.ThrowIfNull(report);
        _tool = new Lazy<JournalTool>(() => new JournalTool(program, packets(), report));
        _from.Validators.Add(result => Check(result, Number(result) is >= 0, "a position, 0 or more"));
        _maxBytes.Validators.Add(result => Check(result, Number(result) is >= 0, "a number of bytes, 0 or more"));
        _below.Validators.Add(result => Check(result, Number(result) is >= 0, "a position, 0 or more"));
        _maxAge.Validators.Add(result => Check(result, double.TryParse(Word(result), NumberStyles.Float, CultureInfo.InvariantCulture,
            out double hours) && hours is >= 0 and <= 1e6, "a number of hours, 0 to 1000000"));
        _types.Validators.Add(result => Check(result, result.Tokens.All(t => ushort.TryParse(
            t.Value, NumberStyles.None, CultureInfo.InvariantCulture, out ushort type) && type >= 256), "packet types, 256 to 65535"));
        _verify = new Command("verify", "Reports whether a journal is valid, and changes nothing. On stdout what it holds; on stderr, if "
            + "it is not valid, in which file and what, in one line.") { _directory };
        _dump = new Command("dump", "Writes a journal's packets to stdout, one JSON object a line: position, time, node, type, body. "
            + "Bodies of packet types that this program knows are decoded, others are shown as their values. Changes nothing; of a journal "
            + "that is cut or damaged it shows what is valid.") { _directory, _from, _nodes, _types };
        _stat = new Command("stat",
            "Reports what a journal holds: segments, packets by node and type, rates, the back end, how long commits took.") { _directory };
        _compact = new Command("compact", "Drops the oldest files of a journal that nobody writes to, whole ones, by size, age or "
            + "position; the last one stays.") { _directory, _maxBytes, _maxAge, _below };
        Journal = new Command("journal", "Looks at a journal.") { _verify, _dump, _stat, _compact };
        Follow = new Command("follow", "Shows a journal's packets as lines, also while another process writes to it, and waits for more "
            + "until that has ended or Ctrl+C comes. Never shows what is not committed.") { _directory, _from, _nodes, _types, _verbosity };
    }

    /// <summary>Gets the command <c>journal</c> with its four.</summary>
    public Command Journal { get; }

    /// <summary>Gets the command <c>follow</c>.</summary>
    public Command Follow { get; }

    /// <summary>Whether a command is one of these.</summary>
    /// <param name="command">The command.</param>
    public bool Has(Command command) => command == Follow || command == Journal || Journal.Subcommands.Contains(command);

    /// <summary>Reports what the exit code of one of these commands means, for its help.</summary>
    /// <param name="command">The command.</param>
    /// <returns>A text of one line.</returns>
    public string ExitCodesOf(Command command) =>
        command == _verify ? "0 valid, also while somebody is writing it (\"being written\"); 1 cut, damaged or not closed; 2 no journal, "
            + "or bad usage; 3 it cannot be read."
        : command == _dump ? "0 all is valid and shown; if somebody is writing it, stderr says up to which position; 1 cut, damaged or "
            + "not closed: what is valid is shown, and stderr says where it ends; 2 no journal, or bad usage; 3 it cannot be read, or "
            + "stdout cannot be written."
        : command == _stat ? "0 valid, also while somebody is writing it; 1 cut, damaged or not closed: what is valid is counted; 2 no "
            + "journal, or bad usage; 3 it cannot be read."
        : command == _compact ? "0 done; 1 damaged: nothing is dropped; 2 no journal, or bad usage; 3 it is in use, or cannot be changed."
        : command == Follow ? "0 the journal was closed; 1 its writer ended without closing it, or it is damaged; 2 no journal, or bad "
            + "usage; 3 it cannot be read, or stdout cannot be written; 129, 130, 143 after SIGHUP, SIGINT, SIGTERM."
        : "0 valid; 1 cut or damaged; 2 no journal, or bad usage; 3 it cannot be read.";

    /// <summary>Reports what is wrong with a command line that the parser took.</summary>
    /// <param name="parsed">The command line, of one of these commands.</param>
    /// <returns>One line for a person; null if nothing is wrong.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="parsed"/> is null.</exception>
    public string? MistakeIn(ParseResult parsed)
    {
        ArgumentNullException.ThrowIfNull(parsed);
        Command command = parsed.CommandResult.Command;
        return command == Journal ? "journal: expected verify, dump, stat or compact, and the journal's directory (see --help)."
            : parsed.GetRequiredValue(_directory).Length == 0 ? "expected a journal's directory, got an empty word."
            : command == Follow && parsed.GetValue(_verbosity) is var word && BuildEventText.VerbosityOf(word) is null
                ? $"-v {word}: expected quiet, minimal, normal, detailed or diagnostic (q, m, n, d, diag)."
            : null;
    }

    /// <summary>Runs one of these commands: writes to stdout, and what is wrong with the journal to stderr. <c>follow</c> takes the
    /// process's signals meanwhile.</summary>
    /// <param name="parsed">The command line, without a mistake.</param>
    /// <returns>The exit code: see <see cref="ExitCodesOf"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="parsed"/> is null.</exception>
    /// <exception cref="ToolException">It is no journal, or cannot be read or changed, or stdout cannot be written.</exception>
    public async Task<int> RunAsync(ParseResult parsed)
    {
        ArgumentNullException.ThrowIfNull(parsed);
        string directory = parsed.GetRequiredValue(_directory);
        try
        {
            Command command = parsed.CommandResult.Command;
            if (command == Follow)
            {
                using var interrupt = new Interrupt();
                BuildVerbosity verbosity = BuildEventText.VerbosityOf(parsed.GetValue(_verbosity))!.Value;
                return await _tool.Value.FollowAsync(Reading(parsed), verbosity, interrupt).ConfigureAwait(false);
            }

            return command == _verify ? _tool.Value.Verify(directory)
                : command == _stat ? _tool.Value.Stat(directory)
                : command == _dump ? _tool.Value.Dump(Reading(parsed))
                : JournalTool.Compact(directory, new JournalRetention
                {
                    MaxBytes = parsed.GetValue(_maxBytes),
                    MaxAge = parsed.GetValue(_maxAge) is { } hours ? TimeSpan.FromHours(hours) : null,
                    Watermark = parsed.GetValue(_below),
                });
        }
        catch (JournalException e)
        {
            throw JournalFaults.Of(directory, e);
        }
        catch (ArgumentException e)
        {
            throw new ToolException(e.Message, ToolExitCodes.BadUsage);
        }
    }

    /// <summary>Adds what is wrong with an option's value.</summary>
    /// <param name="result">The option as it was given, or not.</param>
    /// <param name="isValid">Whether its value can be used.</param>
    /// <param name="expected">What was expected.</param>
    public static void Check(OptionResult result, bool isValid, string expected)
    {
        if (result.Tokens.Count > 0 && !isValid)
        {
            result.AddError($"{result.Option.Name} {string.Join(' ', result.Tokens.Select(t => t.Value))}: expected {expected}.");
        }
    }

    private static string? Word(OptionResult result) => result.Tokens.Count == 1 ? result.Tokens[0].Value : null;

    private static long? Number(OptionResult result) =>
        long.TryParse(Word(result), NumberStyles.None, CultureInfo.InvariantCulture, out long number) ? number : null;

    private ReadingOptions Reading(ParseResult parsed) => new()
    {
        Directory = parsed.GetRequiredValue(_directory),
        From = parsed.GetValue(_from),
        Nodes = parsed.GetValue(_nodes) ?? [],
        Types = [.. (parsed.GetValue(_types) ?? []).Select(type => (ushort)type)],
    };
}
