using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal;
using Transport.MSBuild;
using Transport.Testing;

namespace Transport.Tool.Tests.Builds;

/// <summary>One build, looked at in many ways.</summary>
internal sealed class QueryTests
{
    private readonly SmallBuild _build = new();

    [OneTimeSetUp]
    public async Task BuildAsync() =>
        Assert.That((await _build.CollectAsync([], "dotnet", "msbuild", "one.proj", "-t:Build;Fail")).ExitCode, Is.EqualTo(1));

    [OneTimeTearDown]
    public void Remove() => _build.Dispose();

    [TestCase("--kind error", "one.proj › Fail › Error: ", "error E1: it is broken")]
    [TestCase("--kind warning --project one", "one.proj › Build › Warning: ", "warning W1: too red")]
    [TestCase("--code w1", "one.proj › Build › Warning: ", "warning W1: too red")]
    [TestCase("--text GREEN --task Message", "one.proj › Build › Message: ", "building green apple;pear")]
    [TestCase("--project two.proj --task Message --kind message", "two.proj › Build › Message: ", "size large")]
    [TestCase("--target Before --kind TargetStarted --limit 1", "one.proj › Before: ", "Target \"Before\"")]
    public async Task An_event_is_found(string options, string place, string text)
    {
        ToolRun run = await ToolRun.Of(["query", _build.Journal, .. options.Split(' ')]);

        Assert.That(run.ExitCode, Is.Zero, string.Join('\n', run.Errors));
        Assert.That(run.Output[0], Does.Match(@"^ +\d+\.\d{3} ").And.Contain(place).And.Contain(text));
        Assert.That(run.Output, Has.Length.EqualTo(1), string.Join('\n', run.Output));
    }

    [Test]
    public async Task As_JSON_an_event_has_its_place_and_every_field()
    {
        ToolRun run = await ToolRun.Of("query", _build.Journal, "--kind", "error", "--json");

        using var json = JsonDocument.Parse(run.Output.Single());
        JsonElement root = json.RootElement;
        Assert.That(root.GetProperty("project").GetString(), Does.EndWith("/one.proj"));
        Assert.That((root.GetProperty("target").GetString(), root.GetProperty("task").GetString()), Is.EqualTo(("Fail", "Error")));
        Assert.That(root.GetProperty("event").GetProperty("fields").GetProperty("Code").GetString(), Is.EqualTo("E1"));
        Assert.That(root.GetProperty("event").GetProperty("message").GetString(), Is.EqualTo("it is broken"));
    }

    [Test]
    public async Task Nodes_with_links_of_their_own_are_one_build_and_another_build_is_not()
    {
        using var folder = new TemporaryFolder();
        string journal = Path.Combine(folder.Path, "journal");
        foreach (string node in new[] { "build.n1", "build", "build3", "build.n2" })
        {
            await Samples.WriteJournalAsync(journal, Samples.Nested().Take(3), node);
        }

        ToolRun run = await ToolRun.Of("query", journal, "--kind", "ProjectStarted", "--json", "--build", "all");

        (string? Node, int Project)[] starts = [.. run.Output.Select(line => JsonDocument.Parse(line).RootElement).Select(one => (
            one.GetProperty("node").GetString(),
            one.GetProperty("event").GetProperty("context").GetProperty("projectContext").GetInt32()))];
        Assert.That(starts.Where(one => one.Node != "build3").Select(one => one.Project), Is.Not.Empty.And.All.LessThan(1000));
        Assert.That(starts.Where(one => one.Node == "build3").Select(one => one.Project), Is.Not.Empty.And.All.GreaterThan(1000));
    }

    [Test]
    public async Task Packets_that_are_no_events_are_passed_over_and_counted()
    {
        using var folder = new TemporaryFolder();
        string journal = Path.Combine(folder.Path, "journal");
        await Samples.WriteJournalAsync(journal, Samples.Nested());
        await using (PacketJournal more = PacketJournal.Open(journal, new JournalOptions()))
        {
            await more.AppendAsync(new JournalNode("build"), BuildEvent.PacketType.Id, new byte[] { 0xC1 });
            await more.AppendAsync(new JournalNode("build"), BuildEvent.PacketType.Id, new byte[] { 0x90 });
        }

        ToolRun query = await ToolRun.Of("query", journal), export = await ToolRun.Of("export", journal, "--azure", "--html",
            Path.Combine(folder.Path, "build.html"));

        string remark = $"2 packets of type 512 passed over, the first at position {Samples.Nested().Count() + 1}: no build events of this";
        Assert.That((query.ExitCode, export.ExitCode, query.Output.Length), Is.EqualTo((0, 0, Samples.Nested().Count())));
        Assert.That(query.Errors.Single(), Does.StartWith("query: " + remark));
        Assert.That(export.Errors.Single(), Does.Contain(remark));
    }

    [TestCase("--after +3600", 1, null)]
    [TestCase("--kind nothing", 2, "--kind nothing: expected error, warning, message")]
    [TestCase("--after yesterday-ish", 2, "--after yesterday-ish: expected +SECONDS, or a date and time")]
    [TestCase("--after +1 --before 2026-01-01", 2, "expected both as +SECONDS, or both as dates")]
    [TestCase("--limit 0", 2, "--limit 0: expected a number of events")]
    [TestCase("--kindd error", 2, "did you mean --kind?")]
    public async Task What_finds_nothing_or_is_a_mistake_has_an_exit_code(string options, int exitCode, string? line)
    {
        ToolRun run = await ToolRun.Of(["query", _build.Journal, .. options.Split(' ')]);

        Assert.That(run.ExitCode, Is.EqualTo(exitCode));
        Assert.That(run.Output, Is.Empty);
        Assert.That(string.Join('\n', run.Errors), line is null ? Is.Empty : Does.Contain(line));
    }

    [TestCase("query")]
    [TestCase("watch")]
    [TestCase("export --binlog x.binlog")]
    public async Task A_binary_log_in_place_of_a_journal_is_one_line(string command)
    {
        string[] words = command.Split(' ');
        string log = Path.Combine(_build.Folder, "some.binlog");
        await File.WriteAllBytesAsync(log, [0x1f, 0x8b, 8, 0]);

        ToolRun run = await ToolRun.Of([words[0], log, .. words[1..]]);

        Assert.That(run.ExitCode, Is.EqualTo(2));
        Assert.That(run.Errors, Has.Length.EqualTo(1));
        Assert.That(run.Errors[0], Does.Contain("a binary log of MSBuild").And.Contain("expected the folder of a journal"));
        Assert.That(File.Exists("x.binlog"), Is.False);
    }

    [Test]
    public async Task Watching_a_build_that_has_ended_shows_its_diagnostics_and_how_it_ended()
    {
        ToolRun run = await ToolRun.Of("watch", _build.Journal);

        Assert.That(run.ExitCode, Is.EqualTo(1), "the build has failed");
        Assert.That(run.Output, Has.Some.Contains("warning W1: too red").And.Some.Contains("error E1: it is broken"));
        Assert.That(run.Output[^1], Does.StartWith("failed after ").And.Contain("2 projects, 1 error, 1 warning"));
    }
}
