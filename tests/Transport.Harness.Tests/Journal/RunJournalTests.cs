using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport.Journal;
using Transport.Testing;

namespace BuildHarness.Tests.Journal;

/// <summary><c>--journal</c> on the commands with workers.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class RunJournalTests
{
    [TestCase("always", 300)]
    [TestCase("group", 20_000)]
    [TestCase("everysec", 20_000)]
    [TestCase("no", 20_000)]
    public async Task All_that_is_acknowledged_is_kept_under_each_policy(string sync, int events)
    {
        using var rig = new JournalRig();
        using Harness run = await Harness.RunAsync(["run", "--journal", rig.Journal, "--journal-sync", sync, "--journal-segment", "1048576",
            "--summary", "{summary}", .. rig.Numbered(events)]);

        Assert.That((run.ExitCode, run.Errors.Length, rig.Acknowledged, rig.End), Is.EqualTo((0, 0, (long)events, "end clean")), () =>
            string.Join('\n', run.Errors));
        JsonElement summary = run.Summary();
        JsonElement node = summary.GetProperty("nodes")[0], journal = summary.GetProperty("journal");
        Assert.That((node.GetProperty("received").GetInt64(), node.GetProperty("acknowledged").GetInt64()),
            Is.EqualTo(((long)events, (long)events)));
        Assert.That((journal.GetProperty("sync").GetString(), journal.GetProperty("packets").GetInt64(),
            journal.GetProperty("firstPosition").GetInt64(), journal.GetProperty("lastPosition").GetInt64()),
            Is.EqualTo((sync, (long)events, 1L, (long)events)));
        Assert.That(journal.GetProperty("failure").ValueKind, Is.EqualTo(JsonValueKind.Null));
        (int exitCode, _, Dumped[] packets) = await JournalRig.DumpAsync(rig.Journal);
        Assert.That(exitCode, Is.Zero);
        Assert.That(JournalRig.Numbers(packets), Is.EqualTo(Enumerable.Range(0, events)));
        Assert.That(packets.Select(p => (p.Node, p.Type)), Is.All.EqualTo(("n1", 256)));
    }

    [Test]
    public async Task A_replay_is_kept_written_out_and_the_journal_can_be_replayed_like_the_file()
    {
        using var rig = new JournalRig();
        using Harness first = await Harness.RunAsync(
            "replay", Repository.Workload("noop20.binlog"), "--nodes", "1", "--journal", rig.Journal, "--summary", "{summary}");
        Assert.That(first.ExitCode, Is.Zero, () => string.Join('\n', [.. first.Output, .. first.Errors]));
        long kept = first.Summary().GetProperty("journal").GetProperty("packets").GetInt64();
        JsonElement was = first.Summary().GetProperty("nodes")[0];
        Assert.That(kept, Is.EqualTo(was.GetProperty("events").GetInt64() + 1),
            "the events, and what says that they are all; entries of tables are not kept");

        using Harness again =
            await Harness.RunAsync("replay", rig.Journal, "--nodes", "2", "--journal", rig.Journal, "--summary", "{summary}");
        Assert.That(again.ExitCode, Is.Zero, () => string.Join('\n', [.. again.Output, .. again.Errors]));
        JsonElement summary = again.Summary();
        Assert.That(summary.GetProperty("expectedHash").GetString(), Is.EqualTo(was.GetProperty("hash").GetString()),
            "the same events as in the file");
        Assert.That(summary.GetProperty("nodes").EnumerateArray().Select(n => n.GetProperty("hash").GetString()),
            Is.All.EqualTo(was.GetProperty("hash").GetString()));
        Assert.That(summary.GetProperty("journal").GetProperty("packets").GetInt64(), Is.EqualTo(2 * kept),
            "appended to the journal that it read");
    }

    [Test]
    public async Task A_build_is_kept_and_can_be_replayed()
    {
        using var rig = new JournalRig();
        using var sources = new TemporaryFolder();
        string solution = PlainProjects.Four(sources, b: string.Empty);
        using Harness build = await Harness.RunAsync(
            "build", solution, "--nodes", "2", "--no-restore", "--journal", rig.Journal, "--summary", "{summary}");
        Assert.That(build.ExitCode, Is.Zero, () => string.Join('\n', [.. build.Output, .. build.Errors]));
        JsonElement summary = build.Summary();
        long events = summary.GetProperty("nodes").EnumerateArray().Sum(n => n.GetProperty("events").GetInt64());
        foreach (JsonElement node in summary.GetProperty("nodes").EnumerateArray())
        {
            BuildTests.AssertExact(node);
        }

        (int exitCode, _, Dumped[] packets) = await JournalRig.DumpAsync(rig.Journal);
        Assert.That((exitCode, (long)packets.Length), Is.EqualTo((0, summary.GetProperty("journal").GetProperty("packets").GetInt64())));
        Assert.That(packets.Count(p => p.Type == 512), Is.EqualTo(events));
        Assert.That(build.Output[^1], Does.Match($@"\d+ packets \({packets.Length} in the journal, \d+ of tables\)"));
        Assert.That(packets.Where(p => p.Type == 512).Select(p => p.Body.TryGetProperty("kind", out _)), Is.All.True, "decoded");
        Assert.That(packets.Where(p => p.Type == 514).Select(p => p.Body[1][0].GetBoolean()),
            Is.Not.Empty.And.All.True);
        Assert.That(packets.Select(p => p.Node).Distinct(), Is.SubsetOf(new[] { "n1", "n2" }));

        using Harness replay = await Harness.RunAsync("replay", rig.Journal, "--nodes", "1", "--summary", "{summary}");
        Assert.That(replay.ExitCode, Is.Zero, () => string.Join('\n', [.. replay.Output, .. replay.Errors]));
        Assert.That(replay.Summary().GetProperty("nodes")[0].GetProperty("events").GetInt64(), Is.EqualTo(events));

        using Harness byNode = await Harness.RunAsync("replay", rig.Journal, "--summary", "{summary}");
        Assert.That(byNode.ExitCode, Is.Zero, () => string.Join('\n', [.. byNode.Output, .. byNode.Errors]));
        Assert.That(byNode.Summary().GetProperty("nodes").EnumerateArray().Select(n => n.GetProperty("events").GetInt64()),
            Is.EqualTo(packets.Where(p => p.Type == 512).GroupBy(p => p.Node).OrderBy(g => g.Key).Select(g => (long)g.Count())),
            "each worker sends what one node had sent");
    }

    [Test]
    public async Task A_Python_workers_packets_are_kept_and_replayed()
    {
        using var rig = new JournalRig();
        using Harness run = await Harness.RunAsync(["run", "--journal", rig.Journal, .. rig.Numbered(2_000)]);
        using Harness replay = await Harness.RunAsync("replay", rig.Journal, "--nodes", "1", "--summary", "{summary}");

        Assert.That(replay.ExitCode, Is.Zero, () => string.Join('\n', [.. replay.Output, .. replay.Errors]));
        Assert.That(replay.Summary().GetProperty("nodes")[0].GetProperty("events").GetInt64(), Is.EqualTo(2_000));
    }

    [TestCase("run", 125)]
    [TestCase("replay", 3)]
    [TestCase("build", 3)]
    public async Task A_journal_that_cannot_be_opened_ends_the_work(string command, int exitCode)
    {
        using var rig = new JournalRig();
        using Harness run = await Harness.RunAsync(
            [command, "--journal", Path.Combine("/etc/hostname", "journal"), "--summary", "{summary}", .. Work(rig, command)]);

        Assert.That(run.ExitCode, Is.EqualTo(exitCode));
        Assert.That(run.Errors, Has.Length.EqualTo(1));
        Assert.That(run.Errors[0], Does.StartWith("buildharness: --journal /etc/hostname/journal: "));
        Assert.That(run.Summary().GetProperty("result").GetString(), Is.EqualTo("failed"));
        Assert.That(rig.Acknowledged, Is.Zero);
    }

    [TestCase("run")]
    [TestCase("replay")]
    public async Task A_journal_that_is_optional_and_cannot_be_opened_is_a_line_and_the_work_goes_on(string command)
    {
        using var rig = new JournalRig();
        using Harness run = await Harness.RunAsync([command, "--journal", Path.Combine("/etc/hostname", "journal"), "--journal-optional",
            "--summary", "{summary}", .. Work(rig, command)]);

        Assert.That((run.ExitCode, run.Errors.Length), Is.EqualTo((0, 0)), () => string.Join('\n', run.Errors));
        Assert.That(run.Output.Count(
            line => line.StartsWith("--journal /etc/hostname/journal: ", System.StringComparison.Ordinal) && line.EndsWith(
            "Going on without it: packets from number 1 on are not kept.", System.StringComparison.Ordinal)), Is.EqualTo(1));
        JsonElement failure = run.Summary().GetProperty("journal").GetProperty("failure");
        Assert.That((failure.GetProperty("fromPacket").GetInt64(), failure.GetProperty("fromPosition").ValueKind),
            Is.EqualTo((1L, JsonValueKind.Null)));
    }

    [Test]
    public async Task Two_harnesses_do_not_write_one_journal()
    {
        using var rig = new JournalRig();
        using PacketJournal other = PacketJournal.Open(rig.Journal);
        using Harness run = await Harness.RunAsync(["run", "--journal", rig.Journal, .. rig.Numbered(10)]);

        Assert.That((run.ExitCode, run.Errors.Length), Is.EqualTo((125, 1)));
        Assert.That(run.Errors[0], Does.Contain(rig.Journal));
    }

    private static string[] Work(JournalRig rig, string command) => command switch
    {
        "run" => rig.Numbered(100),
        "replay" => [Repository.Workload("noop20.binlog"), "--nodes", "1"],
        _ => [Path.Combine(Repository.Root, "samples", "Example", "Example.slnx"), "--nodes", "1", "--no-restore"],
    };
}
