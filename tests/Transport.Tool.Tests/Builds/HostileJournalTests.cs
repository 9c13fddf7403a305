using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal;
using Transport.MSBuild;

namespace Transport.Tool.Tests.Builds;

/// <summary>Journals that somebody sent: made by other means than this library, for who looks at them.</summary>
internal sealed class HostileJournalTests
{
    private static readonly string[][] Commands =
    [
        ["watch"], ["query"], ["query", "--json"], ["export", "--html", "out.html"], ["export", "--binlog", "out.binlog"],
        ["export", "--trace", "out.json"], ["export", "--github"], ["export", "--azure"],
        ["journal", "verify"], ["journal", "dump"], ["journal", "stat"],
    ];

    /// <summary>A node's name with an escape sequence arrived at the terminal through <c>watch</c>.</summary>
    [TestCaseSource(nameof(Commands))]
    public async Task A_nodes_name_that_no_journal_writes_is_damage_and_reaches_no_terminal(params string[] command)
    {
        using var build = new SmallBuild();
        await WriteAsync(build.Journal, "n\u001b[2Jn", Samples.Nested());

        int verb = command[0] == "journal" ? 2 : 1;
        ToolRun run = await ToolRun.EndAsync(build.Start([.. command.Take(verb), build.Journal, .. command.Skip(verb)]));

        string all = string.Join('\n', run.Output.Concat(run.Errors));
        Assert.That(all.Contains('\u001b', StringComparison.Ordinal), Is.False, all);
        Assert.That(all, Does.Not.Contain("   at "), string.Join(' ', command));
        Assert.That(run.ExitCode, Is.AnyOf(0, 1, 3), all);
        Assert.That(all.Contains("names a node \"n\\u001b[2Jn\"", StringComparison.Ordinal), Is.True, all);
    }

    /// <summary>An error in a file whose name has a NUL ended the export: no path of .NET may have one.</summary>
    [TestCase("--github")]
    [TestCase("--azure")]
    public async Task A_path_with_nul_is_an_annotation_like_any_other(string form)
    {
        using var build = new SmallBuild();
        BuildEvent error = Samples.Event(
            BuildEventKind.Error, 1, message: "bad", values: [("File", "/w/a\0b.cs"), ("ProjectFile", "/w/\0.csproj"), ("LineNumber", 3L)]);
        await WriteAsync(build.Journal, "build", [Samples.Event(BuildEventKind.BuildStarted, 0), error]);

        ToolRun run = await ToolRun.EndAsync(build.Start("export", build.Journal, form));

        Assert.That(run.ExitCode, Is.Zero, string.Join('\n', run.Errors));
        Assert.That(string.Join('\n', run.Output), Does.Contain("/w/a\\u0000b.cs"));
    }

    /// <summary>Writes a journal whose sums hold, and whose node's name is one that a writer refuses.</summary>
    private static async Task WriteAsync(string directory, string name, IEnumerable<BuildEvent> events)
    {
        var node = new JournalNode(new string('x', name.Length));
        byte[] bytes = (byte[])typeof(JournalNode).GetField("_utf8", BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(node)!;
        System.Text.Encoding.ASCII.GetBytes(name).CopyTo(bytes, 0);
        await using PacketJournal journal = PacketJournal.Open(directory, new JournalOptions { Sync = JournalSync.None });
        var body = new System.Buffers.ArrayBufferWriter<byte>();
        foreach (BuildEvent one in events)
        {
            body.ResetWrittenCount();
            BuildEvent.PacketType.Formatter.Write(body, one);
            await journal.AppendAsync(node, BuildEvent.PacketType.Id, body.WrittenMemory.ToArray());
        }
    }
}
