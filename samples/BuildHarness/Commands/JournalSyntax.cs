using System;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Linq;
using BuildHarness.Journaling;
using Transport.Journal;
using Transport.MSBuild;

namespace BuildHarness.Commands;

/// <summary>The options of <c>--journal</c>, and the commands that look at a journal.</summary>
internal sealed class JournalSyntax
{
    private const long LeastSegment = 64 << 10, MostSegment = 1 << 30;

    private readonly Option<string> _journal = new("--journal") { Description = "Keeps every packet that is taken in the journal of this "
        + "directory, which is made where there is none and appended to where there is one. A worker's packets are then acknowledged once "
        + "they are as safe as --journal-sync says." };
    private readonly Option<string> _sync = new("--journal-sync") { Description = "When a packet is safe: always (synced, each by "
        + "itself), group (synced, many at a time), everysec (written; synced once a second), no (written; synced when a segment is full "
        + "and at the end).", DefaultValueFactory = _ => "group" };
    private readonly Option<long?> _segment = new("--journal-segment")
    {
        Description = $"The bytes of one file of the journal, {LeastSegment} to {MostSegment}; 67108864 by default.",
    };
    private readonly Option<bool> _optional = new("--journal-optional") { Description = "Where the journal fails (a full disk, no access) "
        + "the work goes on without it, and a line and the summary say from which packet on. Without this, it ends." };
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
    private readonly Option<string> _verbosity;
    private readonly Option<long?> _maxBytes = new("--max-bytes")
    {
        Description = "Drops the oldest until the files have at most so many bytes together.",
    };
    private readonly Option<double?> _maxAge = new("--max-age") { Description = "Drops what is older than so many hours." };
    private readonly Option<long?> _below = new("--below") { Description =
        "Drops what nobody needs any more: packets below this position. With one of the others: nothing at or above it is dropped." };

    /// <param name="verbosity">The option of <c>build</c>, for build events.</param>
    public JournalSyntax(Option<string> verbosity)
    {
        _verbosity = verbosity;
        _sync.Validators.Add(result => Check(result, SyncOf(Word(result)) is not null, "always, group, everysec or no"));
        _segment.Validators.Add(
            result => Check(result, Number(result) is >= LeastSegment and <= MostSegment, $"{LeastSegment} to {MostSegment} bytes"));
        _from.Validators.Add(result => Check(result, Number(result) is >= 0, "a position, 0 or more"));
        _maxBytes.Validators.Add(result => Check(result, Number(result) is >= 0, "a number of bytes, 0 or more"));
        _below.Validators.Add(result => Check(result, Number(result) is >= 0, "a position, 0 or more"));
        _maxAge.Validators.Add(result => Check(result, double.TryParse(Word(result), NumberStyles.Float, CultureInfo.InvariantCulture,
            out double hours) && hours is >= 0 and <= 1e6, "a number of hours, 0 to 1000000"));
        _types.Validators.Add(result => Check(result, result.Tokens.All(t => ushort.TryParse(
            t.Value, NumberStyles.None, CultureInfo.InvariantCulture, out ushort type) && type >= 256), "packet types, 256 to 65535"));
        Verify = new Command("verify", "Says how sound a journal is, and changes nothing. On stdout what it holds; on stderr, where it is "
            + "not sound, where and what, in one line.") { _directory };
        Dump = new Command("dump", "Writes a journal's packets to stdout, one JSON object a line: position, time, node, type, body. "
            + "Bodies of packet types that this program knows are decoded, others are {\"base64\": …}. Changes nothing; of a journal that "
            + "is cut or damaged it shows what is sound.") { _directory, _from, _nodes, _types };
        Stat = new Command("stat",
            "Tells what a journal holds: segments, packets by node and type, rates, the back end, how long commits took.") { _directory };
        Compact = new Command("compact", "Drops the oldest files of a journal that nobody writes to, whole ones, by size, age or "
            + "position; the last one stays.") { _directory, _maxBytes, _maxAge, _below };
        Journal = new Command("journal", "Looks at a journal that --journal has made.") { Verify, Dump, Stat, Compact };
        Follow = new Command("follow", "Shows a journal's packets as run shows them, also while another process writes to it, and waits "
            + "for more until that has ended or Ctrl+C comes. Never shows what is not "
            + "committed.") { _directory, _from, _nodes, _types, _verbosity };
    }

    public Command Journal { get; }

    public Command Follow { get; }

    private Command Verify { get; }

    private Command Dump { get; }

    private Command Stat { get; }

    private Command Compact { get; }

    /// <summary>Adds the options of <c>--journal</c> to a command.</summary>
    public void AddTo(Command command)
    {
        command.Add(_journal);
        command.Add(_sync);
        command.Add(_segment);
        command.Add(_optional);
    }

    /// <returns>The wishes, or null; with the mistake, if there is one.</returns>
    public JournalWishes? Wishes(ParseResult parsed, out string? mistake)
    {
        string? directory = parsed.GetValue(_journal);
        Option? lonely = new Option[] { _sync, _segment, _optional }.FirstOrDefault(
            option => parsed.GetResult(option) is { Implicit: false });
        mistake = directory is null && lonely is not null ? $"{lonely.Name}: expected --journal DIR beside it." : null;
        return directory is null ? null : new JournalWishes(directory)
        {
            Sync = SyncOf(parsed.GetValue(_sync))!.Value,
            SegmentBytes = parsed.GetValue(_segment),
            IsOptional = parsed.GetValue(_optional),
        };
    }

    public bool Has(Command command) => command == Follow || command == Journal || Journal.Subcommands.Contains(command);

    /// <summary>What a command's exit code says.</summary>
    public string ExitCodesOf(Command command) =>
        command == Verify ? "0 sound, also where somebody is writing it (\"being written\"); 1 cut, damaged or not closed; 2 no journal, "
            + "or bad usage; 3 it cannot be read."
        : command == Dump ? "0 all is sound and shown; where somebody is writing it, stderr says up to where; 1 cut, damaged or not "
            + "closed: what is sound is shown, and stderr says where it ends; 2 no journal, or bad usage; 3 it cannot be read, or stdout "
            + "cannot be written."
        : command == Stat ? "0 sound, also where somebody is writing it; 1 cut, damaged or not closed: what is sound is counted; 2 no "
            + "journal, or bad usage; 3 it cannot be read."
        : command == Compact ? "0 done; 1 damaged: nothing is dropped; 2 no journal, or bad usage; 3 it is in use, or cannot be changed."
        : command == Follow ? "0 the journal was closed; 1 its writer ended without closing it, or it is damaged; 2 no journal, or bad "
            + "usage; 3 it cannot be read, or stdout cannot be written; 129, 130, 143 after SIGHUP, SIGINT, SIGTERM."
        : "0 sound; 1 cut or damaged; 2 no journal, or bad usage; 3 it cannot be read.";

    public CommonOptions? Read(ParseResult parsed, Func<string?, BuildVerbosity?> verbosityOf, out string? mistake)
    {
        Command command = parsed.CommandResult.Command;
        mistake = null;
        if (command == Journal)
        {
            mistake = "journal: expected verify, dump, stat or compact, and the journal's directory (--help tells more).";
            return null;
        }

        string directory = parsed.GetRequiredValue(_directory);
        if (command == Follow)
        {
            string? word = parsed.GetValue(_verbosity);
            bool isSaid = parsed.GetResult(_verbosity) is { Implicit: false };
            if (verbosityOf(word) is not { } verbosity)
            {
                mistake = $"-v {word}: expected quiet, minimal, normal, detailed or diagnostic (q, m, n, d, diag).";
                return null;
            }

            return new FollowOptions
            {
                Directory = directory,
                From = parsed.GetValue(_from),
                Nodes = parsed.GetValue(_nodes) ?? [],
                Types = TypesOf(parsed),
                Verbosity = isSaid ? verbosity : BuildVerbosity.Normal,
            };
        }

        return command == Verify ? new VerifyOptions { Directory = directory }
            : command == Stat ? new StatOptions { Directory = directory }
            : command == Dump ? new DumpOptions
            {
                Directory = directory, From = parsed.GetValue(_from), Nodes = parsed.GetValue(_nodes) ?? [], Types = TypesOf(parsed),
            }
            : new CompactOptions
            {
                Directory = directory,
                Retention = new JournalRetention
                {
                    MaxBytes = parsed.GetValue(_maxBytes),
                    MaxAge = parsed.GetValue(_maxAge) is { } hours ? TimeSpan.FromHours(hours) : null,
                    Watermark = parsed.GetValue(_below),
                },
            };
    }

    private static JournalSync? SyncOf(string? word) => word switch
    {
        "always" => JournalSync.Always,
        "group" => JournalSync.Group,
        "everysec" => JournalSync.EverySecond,
        "no" => JournalSync.No,
        _ => null,
    };

    private static string? Word(OptionResult result) => result.Tokens.Count == 1 ? result.Tokens[0].Value : null;

    private static long? Number(OptionResult result) =>
        long.TryParse(Word(result), NumberStyles.None, CultureInfo.InvariantCulture, out long number) ? number : null;

    private static void Check(OptionResult result, bool isSound, string expected)
    {
        if (result.Tokens.Count > 0 && !isSound)
        {
            result.AddError($"{result.Option.Name} {string.Join(' ', result.Tokens.Select(t => t.Value))}: expected {expected}.");
        }
    }

    private ushort[] TypesOf(ParseResult parsed) => [.. (parsed.GetValue(_types) ?? []).Select(type => (ushort)type)];
}
