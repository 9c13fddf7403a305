using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Disks;

namespace BuildHarness.Tests.Journal;

/// <summary>A journal on a disk that fills up: nothing is acknowledged that is not there.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class FullDiskTests
{
    private JournalRig _rig = null!;
    private SmallFileSystem? _disk;

    private string Journal => Path.Combine(_disk!.Path, "journal");

    [SetUp]
    public async Task Mount()
    {
        _rig = new JournalRig();
        _disk = await SmallFileSystem.MountAsync(Path.Combine(_rig.Folder, "disk"), "size=6m");
    }

    [TearDown]
    public void Unmount()
    {
        _disk?.Dispose();
        _disk = null;
        _rig.Dispose();
    }

    [Test]
    public async Task The_work_ends_and_what_was_acknowledged_is_there()
    {
        using Harness run = await Harness.RunAsync(
            ["run", "--journal", Journal, "--journal-segment", "1048576", "--summary", "{summary}", .. _rig.Numbered(0)]);

        Assert.That(run.ExitCode, Is.EqualTo(125));
        Assert.That(run.Errors, Has.Length.EqualTo(1), () => string.Join('\n', run.Errors));
        Assert.That(run.Errors[0], Does.StartWith($"buildharness: --journal {Journal}: "));
        JsonElement failure = run.Summary().GetProperty("journal").GetProperty("failure");
        Assert.That(failure.GetProperty("fault").GetString(), Is.EqualTo("DiskFull"));
        await ExpectAcknowledgedAsync(failure.GetProperty("fromPacket").GetInt64() - 1);
    }

    [Test]
    public async Task The_work_goes_on_where_the_journal_is_optional_and_the_line_says_from_where()
    {
        const int Events = 60_000;
        using Harness run = await Harness.RunAsync(["run", "--journal", Journal, "--journal-segment", "1048576", "--journal-optional",
            "--summary", "{summary}", .. _rig.Numbered(Events)]);

        Assert.That((run.ExitCode, run.Errors.Length, _rig.Acknowledged, _rig.End), Is.EqualTo((0, 0, (long)Events, "end clean")), () =>
            string.Join('\n', run.Errors));
        JsonElement summary = run.Summary();
        long from = summary.GetProperty("journal").GetProperty("failure").GetProperty("fromPacket").GetInt64();
        Assert.That(summary.GetProperty("nodes")[0].GetProperty("events").GetInt64(), Is.EqualTo(Events));
        Assert.That(from, Is.InRange(1, Events));
        Assert.That(summary.GetProperty("journal").GetProperty("packets").GetInt64(), Is.EqualTo(from - 1));
        Assert.That(run.Output.Count(line => line.StartsWith($"--journal {Journal}: ", StringComparison.Ordinal)
            && line.Contains($"packets from number {from} on (position {from})", StringComparison.Ordinal)), Is.EqualTo(1));
        await ExpectKeptAsync(from - 1);
    }

    [Test]
    public async Task A_replay_ends_with_exit_code_3()
    {
        using Harness run = await Harness.RunAsync("replay", Repository.Workload("noop20.binlog"), "--nodes", "2", "--journal", Journal,
            "--journal-segment", "1048576", "--summary", "{summary}");

        Assert.That((run.ExitCode, run.Errors.Length), Is.EqualTo((3, 1)), () => string.Join('\n', run.Errors));
        Assert.That(run.Summary().GetProperty("result").GetString(), Is.EqualTo("failed"));
        Assert.That(run.Output, Has.None.Contains("   at "));
    }

    private async Task ExpectAcknowledgedAsync(long kept)
    {
        Assert.That(_rig.Acknowledged, Is.LessThanOrEqualTo(kept), "acknowledged, and not safe");
        await ExpectKeptAsync(kept);
    }

    private async Task ExpectKeptAsync(long kept)
    {
        (_, _, Dumped[] packets) = await JournalRig.DumpAsync(Journal);
        Assert.That(packets.Length, Is.GreaterThanOrEqualTo(kept));
        Assert.That(JournalRig.Numbers(packets), Is.EqualTo(Enumerable.Range(0, packets.Length)),
            "none missing among those that are there");
    }
}
