using System;
using System.CommandLine;
using System.Globalization;
using Transport.Files;
using Unpack;

namespace BuildHarness.Commands;

/// <summary>The arguments and options of <c>extract</c>.</summary>
internal sealed class ExtractSyntax
{
    /// <summary>What the process's exit code says.</summary>
    public const string ExitCodes = "0 all of it is at DIR; 1 the archive is refused or cannot be written out, and nothing is at DIR; 2 "
        + "bad usage, or no FILE that can be read from any place (a pipe cannot); 3 the harness itself failed; 129, 130, 143 after "
        + "SIGHUP, SIGINT, SIGTERM.";

    private static readonly ArchiveLimits Default = new();
    private readonly Argument<string> _file = new("FILE")
    {
        Description = "The archive: zip, nupkg, tar or tar.gz; its content shows which.",
    };
    private readonly Argument<string> _directory = new("DIR")
    {
        Description = "The folder that appears, whole or not at all; must not exist, or be empty.",
    };
    private readonly Option<string> _writers = new("--writers")
    {
        Description = "How many threads write, 0 to 64; 0 writes on the thread that reads. By default as many as pay: 2, up to 32 on a slow disk.",
    };
    private readonly Option<string> _io = new("--io")
    {
        Description = "How bytes get into files: stream or mmap; by default what suits the system and the file.",
    };
    private readonly Option<string> _sync =
        new("--sync") { Description =
        "What is on the disk before DIR appears: none (whole against a killed process), data (every file) or all (folders too).",
        DefaultValueFactory = _ => "none" };
    private readonly Option<bool> _noTimes = new("--no-times") { Description = "Leave times as they come, as tar -m does." };
    private readonly Option<string> _ratio = new("--limit-ratio")
    {
        Description = FormattableString.Invariant(
            $"Refuse more than so many bytes for one of the archive's, beyond the first MiB; 1 to 1000000, {Default.Ratio} by default."),
    };
    private readonly Option<string> _bytes = new("--limit-bytes")
    {
        Description = FormattableString.Invariant($"Refuse more than so many bytes in all; {Default.Bytes} (16 GiB) by default."),
    };
    private readonly Option<string> _entries = new("--limit-entries")
    {
        Description = FormattableString.Invariant($"Refuse more than so many entries and folders; {Default.Entries} by default."),
    };
    private readonly Option<string> _trace = new("--trace")
    {
        Description = "Writes what was opened, written, closed and waited for, by thread, for chrome://tracing or Perfetto.",
    };

    public ExtractSyntax()
    {
        Expect(_writers, "0 to 64", word => Whole(word, 64) is not null);
        Expect(_io, "stream or mmap", word => word is "stream" or "mmap");
        Expect(_sync, "none, data or all", word => SyncOf(word) is not null);
        Expect(_ratio, "1 to 1000000", word => RatioOf(word) is not null);
        Expect(_bytes, "a number of bytes", word => Whole(word, long.MaxValue >> 1) is not null);
        Expect(_entries, "0 to 100000000", word => Whole(word, 100_000_000) is not null);
        Command = new Command("extract",
            "Unpacks an archive: as tar and unzip do for an ordinary user, checked to its last byte, and published whole or not at all.")
        {
            _file, _directory, _writers, _io, _sync, _noTimes, _ratio, _bytes, _entries, _trace,
        };
    }

    public Command Command { get; }

    public ExtractOptions Read(ParseResult parsed) => new()
    {
        File = parsed.GetRequiredValue(_file),
        Directory = parsed.GetRequiredValue(_directory),
        Writers = (int?)Whole(parsed.GetValue(_writers), 64),
        Io = parsed.GetValue(_io) switch { "stream" => FileIo.Stream, "mmap" => FileIo.Mmap, _ => FileIo.Auto },
        Sync = SyncOf(parsed.GetValue(_sync)) ?? FileSync.None,
        Times = !parsed.GetValue(_noTimes),
        Trace = parsed.GetValue(_trace),
        Limits = Default with
        {
            Ratio = RatioOf(parsed.GetValue(_ratio)) ?? Default.Ratio,
            Bytes = Whole(parsed.GetValue(_bytes), long.MaxValue >> 1) ?? Default.Bytes,
            Entries = (int?)Whole(parsed.GetValue(_entries), 100_000_000) ?? Default.Entries,
        },
    };

    private static void Expect(Option<string> option, string expected, Func<string, bool> isRight) => option.Validators.Add(result =>
    {
        if (result.Tokens.Count == 1 && !isRight(result.Tokens[0].Value))
        {
            result.AddError($"{option.Name} {result.Tokens[0].Value}: expected {expected}.");
        }
    });

    private static long? Whole(string? word, long most) =>
        long.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out long number) && number <= most ? number : null;

    private static double? RatioOf(string? word) =>
        double.TryParse(word, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double ratio) && ratio is >= 1
            and <= 1_000_000 ? ratio : null;

    private static FileSync? SyncOf(string? word) =>
        word switch { "none" => FileSync.None, "data" => FileSync.Data, "all" => FileSync.All, _ => null };
}
