using System;
using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using System.Linq;
using BuildHarness.Journaling;
using Transport.Journal;
using Transport.MSBuild;

namespace BuildHarness.Commands;

/// <summary>The options of <c>--journal</c>.</summary>
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

    public JournalSyntax()
    {
        _sync.Validators.Add(result => Check(result, SyncOf(Word(result)) is not null, "always, group, everysec or no"));
        _segment.Validators.Add(
            result => Check(result, Number(result) is >= LeastSegment and <= MostSegment, $"{LeastSegment} to {MostSegment} bytes"));
    }

    /// <summary>Adds the options of <c>--journal</c> to a command.</summary>
    public void AddTo(Command command)
    {
        command.Add(_journal);
        command.Add(_sync);
        command.Add(_segment);
        command.Add(_optional);
    }

    /// <returns>The settings, or null; with the mistake, if there is one.</returns>
    public JournalSettings? Settings(ParseResult parsed, out string? mistake)
    {
        string? directory = parsed.GetValue(_journal);
        Option? lonely = new Option[] { _sync, _segment, _optional }.FirstOrDefault(
            option => parsed.GetResult(option) is { Implicit: false });
        mistake = directory is null && lonely is not null ? $"{lonely.Name}: expected --journal DIR beside it." : null;
        return directory is null ? null : new JournalSettings(directory)
        {
            Sync = SyncOf(parsed.GetValue(_sync))!.Value,
            SegmentBytes = parsed.GetValue(_segment),
            IsOptional = parsed.GetValue(_optional),
        };
    }

    private static JournalSync? SyncOf(string? word) => word switch
    {
        "always" => JournalSync.Always,
        "group" => JournalSync.GroupCommit,
        "everysec" => JournalSync.EverySecond,
        "no" => JournalSync.None,
        _ => null,
    };

    private static string? Word(OptionResult result) => result.Tokens.Count == 1 ? result.Tokens[0].Value : null;

    private static long? Number(OptionResult result) =>
        long.TryParse(Word(result), NumberStyles.None, CultureInfo.InvariantCulture, out long number) ? number : null;

    private static void Check(OptionResult result, bool isValid, string expected)
    {
        if (result.Tokens.Count > 0 && !isValid)
        {
            result.AddError($"{result.Option.Name} {string.Join(' ', result.Tokens.Select(t => t.Value))}: expected {expected}.");
        }
    }
}
