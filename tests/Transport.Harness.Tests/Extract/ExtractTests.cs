using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Commands;
using BuildHarness.Tests.Archives;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport;
using Transport.Files;
using Transport.Testing;
using Transport.Testing.Disks;

namespace BuildHarness.Tests.Extract;

[TestFixture]
[Platform(Include = "Linux")]
internal sealed class ExtractTests
{
    [Test]
    public void All_options_are_read_and_have_their_defaults()
    {
        const string Line = "extract a d --writers 3 --io mmap --sync all --no-times --limit-ratio 9.5 --limit-bytes 7 --limit-entries 8 "
            + "--trace t";
        var said = (ExtractOptions)CommandLine.Parse(Line.Split(' '), TextWriter.Null, TextWriter.Null).Options!;
        var usual = (ExtractOptions)CommandLine.Parse("extract a d".Split(' '), TextWriter.Null, TextWriter.Null).Options!;

        Assert.That((said.File, said.Directory, said.Writers, said.Io, said.Sync, said.Times, said.Trace),
            Is.EqualTo(("a", "d", (int?)3, FileIo.Mmap, FileSync.All, false, "t")));
        Assert.That((said.Limits.Ratio, said.Limits.Bytes, said.Limits.Entries), Is.EqualTo((9.5, 7L, 8)));
        Assert.That((usual.Writers, usual.Io, usual.Sync, usual.Times, usual.Trace),
            Is.EqualTo(((int?)null, FileIo.Auto, FileSync.None, true, (string?)null)));
        Assert.That((usual.Limits.Ratio, usual.Limits.Bytes, usual.Limits.Entries, usual.Limits.HeaderBytes, usual.Limits.NameBytes),
            Is.EqualTo((200.0, 16L << 30, 1_000_000, 1 << 20, 128L << 20)));
    }

    [Test]
    public void Help_reports_limits_and_exit_codes()
    {
        var output = new StringWriter();
        Assert.That(CommandLine.Parse(["extract", "--help"], output, TextWriter.Null).ExitCode, Is.Zero);
        Assert.That(output.ToString(),
            Does.Contain("--limit-ratio").And.Contain("200 by default").And.Contain("Exit codes:").And.Contain("1 the archive is refused"));
    }

    [Test]
    public async Task The_closing_line_reports_files_links_bytes_and_time()
    {
        using var folder = new TemporaryFolder();
        string archive = Write(folder, new TarBytes().Dir("./", mode: 0x1ed).Entry("a", content: "12345").Entry("b", content: "67")
            .Entry("l", '2', "a").Entry("h", '1', "a").End());
        string target = Path.Combine(folder.Path, "target"), trace = Path.Combine(folder.Path, "trace.json");

        using Harness extract = await Harness.RunAsync("extract", archive, target, "--trace", trace);

        Assert.That((extract.ExitCode, extract.Errors), Is.EqualTo((0, Array.Empty<string>())));
        Assert.That(extract.Output, Has.Length.EqualTo(1));
        Assert.That(extract.Output[0], Does.Match(@"^succeeded: 2 files, 2 links, 7 bytes, \d+\.\d s$"));
        Assert.That(Extracting.NamesIn(target), Is.EqualTo(new[] { "a", "b", "h", "l" }));
        Assert.That(File.ReadAllText(trace), Does.Contain("traceEvents"));
    }

    [Test]
    public async Task The_tree_itself_gets_the_mode_and_time_of_its_entry()
    {
        using var folder = new TemporaryFolder();
        string archive = Write(folder, new TarBytes().Dir("./", mode: 0x1c8, mtime: 1_000_000_000)
            .Entry("./a", mode: 0x1a4, mtime: 1_100_000_000).End()), target = Path.Combine(folder.Path, "target");

        await Trees.ExtractAsync(archive, target);

        Assert.That(ModeOf(target), Is.EqualTo(0x1c8));
        Assert.That(new DateTimeOffset(Directory.GetLastWriteTimeUtc(target)).ToUnixTimeSeconds(), Is.EqualTo(1_000_000_000));
        Assert.That(new DateTimeOffset(File.GetLastWriteTimeUtc(Path.Combine(target, "a"))).ToUnixTimeSeconds(), Is.EqualTo(1_100_000_000));
    }

    [TestCase("--no-times")]
    [TestCase("--writers 0")]
    [TestCase("--writers 4 --sync all")]
    [TestCase("--io mmap --sync data")]
    [TestCase("--io stream")]
    public async Task Options_change_how_not_what(string options)
    {
        using var folder = new TemporaryFolder();
        string[] contents = [.. Enumerable.Range(0, 30).Select(i => new string((char)('a' + (i % 26)), i * i * 600))];
        string archive = Write(folder, ZipBytes.Of([.. contents.Select((c, i) => new ZipItem($"d{i % 3}/f{i}", c))])),
            target = Path.Combine(folder.Path, "target");
        bool times = !options.Contains("no-times", StringComparison.Ordinal);

        using Harness extract = await Harness.RunAsync(["extract", archive, target, "--limit-ratio", "2000", .. options.Split(' ')]);

        Assert.That((extract.ExitCode, extract.Errors), Is.EqualTo((0, Array.Empty<string>())));
        Assert.That(contents.Select((_, i) => File.ReadAllText(Path.Combine(target, $"d{i % 3}/f{i}"))), Is.EqualTo(contents));
        Assert.That(File.GetLastWriteTime(Path.Combine(target, "d1/f1")).Year == 2025, Is.EqualTo(times));
    }

    [Test]
    public async Task What_cannot_be_read_is_one_line()
    {
        using var folder = new TemporaryFolder();
        string target = Path.Combine(folder.Path, "target");

        (int exitCode, string error) = await Extracting.FailAsync(Path.Combine(folder.Path, "none"), target);
        Assert.That((exitCode, error), Is.EqualTo((2, $"{folder.Path}/none cannot be read: Could not find file '{folder.Path}/none'.")));
        (exitCode, error) = await Extracting.FailAsync(folder.Path, target);
        Assert.That((exitCode, error), Is.EqualTo((2, $"{folder.Path} cannot be read: it is a folder")));
    }

    [Test]
    [Platform(Include = "Linux")]
    public async Task A_pipe_or_device_is_refused_before_anybody_waits_for_its_writer()
    {
        using var folder = new TemporaryFolder();
        string pipe = Path.Combine(folder.Path, "pipe"), link = Path.Combine(folder.Path, "link"),
            target = Path.Combine(folder.Path, "target");
        Assert.That((await Extracting.RunAsync("mkfifo", folder.Path, pipe)).ExitCode, Is.Zero);
        File.CreateSymbolicLink(link, "pipe");
        const string Why = "cannot be read: it is a pipe or device, and an archive is not read in one go; save it as a file first (cat "
            + "PIPE > FILE)";
        foreach (string word in new[] { pipe, link, "/dev/zero" })
        {
            (int exitCode, string error) = await Task.Run(() => Extracting.FailAsync(word, target)).WaitAsync(TimeSpan.FromSeconds(90));
            Assert.That((exitCode, error), Is.EqualTo((2, $"{word} {Why}")));
        }

        // Its standard input is a pipe.
        using Harness extract = await Harness.RunAsync("extract", "/dev/stdin", target);
        Assert.That((extract.ExitCode, extract.Errors), Is.EqualTo((2, new[] { $"buildharness: /dev/stdin {Why}" })));
        Assert.That(Extracting.NamesIn(folder.Path), Is.EqualTo(new[] { "link", "pipe" }));
    }

    [Test]
    [Platform(Exclude = "Win")]
    public async Task A_target_whose_bytes_are_no_text_is_not_made_under_another_name()
    {
        using var folder = new TemporaryFolder();
        string archive = Write(folder, TarBytes.One("a"));
        (int exitCode, string error) = await Extracting.FailAsync(archive, Path.Combine(folder.Path, "t\uFFFD"));
        Assert.That((exitCode, error.Trim()),
            Is.EqualTo((2, "buildharness: extract: the name of the folder is no UTF-8; another folder would appear.")));
        Assert.That(Extracting.NamesIn(folder.Path), Is.EqualTo(new[] { "archive" }));
    }

    [Test]
    public async Task A_target_that_is_taken_or_cannot_be_made_is_one_line()
    {
        using var folder = new TemporaryFolder();
        string archive = Write(folder, TarBytes.One("a"));
        string full = Path.GetDirectoryName(folder.File("full/x", "y"))!;

        Assert.That((await Extracting.FailAsync(archive, full)).ExitCode, Is.EqualTo(1));
        Assert.That(Extracting.NamesIn(full), Is.EqualTo(new[] { "x" }));
        (int exitCode, string error) = await Extracting.FailAsync(archive, archive);
        Assert.That((exitCode, error.Contains(archive, StringComparison.Ordinal)), Is.EqualTo((1, true)));
        (exitCode, error) = await Extracting.FailAsync(archive, Path.Combine(folder.Path, "no", "such", "parent"));
        Assert.That((exitCode, error.Contains("parent", StringComparison.Ordinal)), Is.EqualTo((1, true)));
        (exitCode, error) = await Extracting.FailAsync(archive, Path.Combine("/sys/kernel", "target"));
        Assert.That((exitCode, error.Contains("/sys/kernel", StringComparison.Ordinal)), Is.EqualTo((1, true)), "nobody may write there");
        Assert.That(Extracting.NamesIn(folder.Path), Is.EqualTo(new[] { "archive", "full" }));
    }

    [Test]
    public async Task A_full_disk_is_one_line_and_leaves_nothing()
    {
        using var folder = new TemporaryFolder();
        using SmallFileSystem disk = await SmallFileSystem.MountAsync(Path.Combine(folder.Path, "disk"), "size=1m");
        string archive = Write(folder, ZipBytes.Of([.. Enumerable.Range(0, 50).Select(i => new ZipItem($"d/f{i}")
        {
            Content = new byte[50_000], Method = 0,
        })]));
        (int exitCode, string error) = await Extracting.FailAsync(archive, Path.Combine(disk.Path, "target"));

        Assert.That((exitCode, error.Contains('\n', StringComparison.Ordinal)), Is.EqualTo((1, false)));
        Assert.That(error, Does.Contain("d/f").And.Contain("No space left").IgnoreCase.Or.Contain("full").IgnoreCase);
        Assert.That(Extracting.NamesIn(disk.Path), Is.Empty);
    }

    [Test]
    public async Task What_takes_the_path_in_between_is_left_alone()
    {
        using var folder = new TemporaryFolder();
        string archive = Write(folder, new TarBytes().Entry("a", content: "x").End()), target = Path.Combine(folder.Path, "target");
        using var reader = Unpack.ArchiveReader.Open(archive, new Unpack.ArchiveLimits());
        var output = FileOutput.Publish(target, new FileOutputOptions { Existing = ExistingTarget.RefuseUnlessEmpty });
        await using (output)
        {
            folder.File("target/other", "mine");
            TransportException? failed =
                await Assert.ThrowsAsync<TransportException>(() => new Unpack.Extractor(reader, output).RunAsync(default));
            Assert.That(failed!.Fault, Is.EqualTo(TransportFault.FileExists));
        }

        Assert.That(Extracting.NamesIn(target), Is.EqualTo(new[] { "other" }));
        Assert.That(Extracting.NamesIn(folder.Path), Is.EqualTo(new[] { "archive", "target" }));
    }

    [Test]
    public async Task Permissions_of_a_closed_folder_come_after_what_is_in_it()
    {
        using var folder = new TemporaryFolder();
        string archive = Write(folder, new TarBytes().Dir("d", mode: 0x140).Entry("d/e/f", content: "x").Dir("d/e", mode: 0x140)
            .Entry("d/e/g", content: "y").End()), target = Path.Combine(folder.Path, "target");

        await Trees.ExtractAsync(archive, target);

        Assert.That(ModeOf(Path.Combine(target, "d", "e")), Is.EqualTo(0x140));
        Assert.That(ModeOf(Path.Combine(target, "d")), Is.EqualTo(0x140));
        Assert.That(File.ReadAllText(Path.Combine(target, "d/e/g")), Is.EqualTo("y"));
    }

    private static int ModeOf(string path) => OperatingSystem.IsWindows() ? throw new PlatformNotSupportedException()
        : (int)File.GetUnixFileMode(path);

    private static string Write(TemporaryFolder folder, byte[] bytes)
    {
        string path = Path.Combine(folder.Path, "archive");
        File.WriteAllBytes(path, bytes);
        return path;
    }
}
