using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.MSBuild;

namespace Transport.Tool.Tests.Builds;

/// <summary>What cannot be exported, and journals that are not as a build left them: a line, never a stack trace, and what can be made is
/// made.</summary>
internal sealed class ExportFaultTests
{
    [Test]
    public async Task A_build_that_was_cancelled_is_exported_whole()
    {
        using var build = new SmallBuild();
        BuildEvent[] events = [.. Samples.Nested().Take(9), Samples.Event(BuildEventKind.BuildCanceled, 96, message: string.Empty),
            .. Samples.Nested().Skip(9)];
        await Samples.WriteJournalAsync(build.Journal, events);

        ToolRun export = await ToolRun.Of(All(build));

        AssertNoTrace(export, build.Journal);
        Assert.That(export.ExitCode, Is.Zero, string.Join('\n', export.Errors));
        Assert.That(EventList.OfBinaryLog(Path.Combine(build.Folder, "out.binlog")), Has.Count.EqualTo(events.Length));
    }

    [TestCase("semi;colon")]
    [TestCase("quote\"s")]
    [TestCase("{}")]
    [TestCase("100%")]
    [TestCase("na=me *?")]
    public async Task A_folder_whose_name_means_something_to_MSBuild_is_a_folder(string name)
    {
        using var build = new SmallBuild();
        await Samples.WriteJournalAsync(build.Journal, Samples.Nested());
        string folder = Directory.CreateDirectory(Path.Combine(build.Folder, name)).FullName;

        ToolRun export = await ToolRun.Of("export", build.Journal, "--binlog", Path.Combine(folder, "out.binlog"));

        Assert.That(export.ExitCode, Is.Zero, string.Join('\n', export.Errors));
        Assert.That(Directory.GetFiles(folder).Select(Path.GetFileName), Is.EqualTo(new[] { "out.binlog" }));
        Assert.That(EventList.OfBinaryLog(Path.Combine(folder, "out.binlog")), Has.Count.EqualTo(Samples.Nested().Count()));
    }

    /// <summary>Drafts had a name that others could guess, and followed a link that stood there; what became of them was open to
    /// all.</summary>
    [TestCase("--html", "out.html")]
    [TestCase("--trace", "out.json")]
    [TestCase("--binlog", "out.binlog")]
    [SupportedOSPlatform("linux")]
    public async Task An_output_is_for_its_user_alone_and_replaces_a_link_itself(string option, string file)
    {
        using var build = new SmallBuild();
        await Samples.WriteJournalAsync(build.Journal, Samples.Nested());
        string folder = Directory.CreateDirectory(Path.Combine(build.Folder, "shared")).FullName;
        string output = Path.Combine(folder, file), precious = Path.Combine(build.Folder, "precious");
        await File.WriteAllTextAsync(precious, "precious");
        File.CreateSymbolicLink(output, precious);
        using var names = new FileSystemWatcher(folder) { EnableRaisingEvents = true };
        var seen = new System.Collections.Concurrent.ConcurrentQueue<string>();
        names.Created += (_, one) => seen.Enqueue(one.Name!);

        string tool = Path.Combine(AppContext.BaseDirectory, "Transport.Tool.dll");
        ToolRun export = await ToolRun.EndAsync(build.StartBy(
            "sh", "-c", "umask 0; exec dotnet exec \"$@\"", "sh", tool, "export", build.Journal, option, output));

        Assert.That(export.ExitCode, Is.Zero, string.Join('\n', export.Errors));
        Assert.That(await File.ReadAllTextAsync(precious), Is.EqualTo("precious"));
        Assert.That(new FileInfo(output).LinkTarget, Is.Null);
        Assert.That(File.GetUnixFileMode(output), Is.EqualTo(UnixFileMode.UserRead | UnixFileMode.UserWrite));
        Assert.That(Directory.GetFileSystemEntries(folder), Has.Length.EqualTo(1));
        Assert.That(seen, Is.All.Matches("^[.]transport-[0-9a-f]{32}$|^out[.]"), "no name that can be guessed");
    }

    [TestCase("--html")]
    [TestCase("--trace")]
    [TestCase("--binlog")]
    public async Task An_output_that_cannot_be_written_leaves_the_others(string bad)
    {
        using var build = new SmallBuild();
        await Samples.WriteJournalAsync(build.Journal, Samples.Nested());
        string[] arguments = All(build);
        int at = Array.IndexOf(arguments, bad) + 1;
        arguments[at] = "/proc/no/such/out" + Path.GetExtension(arguments[at]);

        ToolRun export = await ToolRun.Of(arguments);

        AssertNoTrace(export, build.Journal);
        Assert.That(export.ExitCode, Is.EqualTo(3));
        Assert.That(export.Errors.Count(line => line.Contains("/proc/no/such/out", StringComparison.Ordinal)), Is.EqualTo(1));
        Assert.That(Directory.GetFiles(build.Folder, "out.*"), Has.Length.EqualTo(2), string.Join('\n', export.Errors));
        Assert.That(export.Output, Is.Not.Null);
    }

    [Test]
    public async Task A_journal_cut_at_any_byte_is_exported_without_a_stack_trace()
    {
        using var build = new SmallBuild();
        await Samples.WriteJournalAsync(build.Journal, [.. Samples.Nested(), .. Samples.Nested()]);
        string[] names = Directory.GetFiles(build.Journal);
        string segment = names.MaxBy(file => new FileInfo(file).LastWriteTimeUtc.Ticks + (file.EndsWith("lock", StringComparison.Ordinal) ? -1 : 0))!;
        byte[] whole = await File.ReadAllBytesAsync(segment);
        int used = Array.FindLastIndex(whole, one => one != 0) + 1;
        for (int length = 0; length < used; length += Math.Max(1, used / 12))
        {
            await File.WriteAllBytesAsync(segment, whole[..length]);
            ToolRun export = await ToolRun.Of(All(build));
            AssertNoTrace(export, $"{length} bytes of {used}");
        }
    }

    [Test]
    public async Task A_journal_without_a_build_is_exported_without_a_stack_trace()
    {
        using var build = new SmallBuild();
        await Samples.WriteJournalAsync(build.Journal, []);
        ToolRun export = await ToolRun.Of(All(build));
        AssertNoTrace(export, "empty");
        Assert.That(export.ExitCode, Is.Zero, string.Join('\n', export.Errors));
    }

    private static string[] All(SmallBuild build) =>
    [
        "export", build.Journal, "--binlog", Path.Combine(build.Folder, "out.binlog"), "--html", Path.Combine(build.Folder, "out.html"),
        "--trace", Path.Combine(build.Folder, "out.json"), "--github", "--azure",
    ];

    private static void AssertNoTrace(ToolRun run, string what)
    {
        IEnumerable<string> all = run.Output.Concat(run.Errors);
        Assert.That(all, Has.None.Contains("   at ").And.None.Contains("Unhandled"), what);
        Assert.That(run.ExitCode, Is.AnyOf(0, 2, 3), what + string.Join('\n', all));
    }
}
