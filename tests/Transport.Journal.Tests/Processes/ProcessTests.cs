using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Processes;

/// <summary>A journal and another process at it.</summary>
internal sealed class ProcessTests
{
    private TestFolder _folder = null!;

    public static IEnumerable<string> Runtimes => [TestHost.Own, TestHost.Other];

    [SetUp]
    public void MakeFolder() => _folder = new TestFolder();

    [TearDown]
    public void RemoveFolder() => _folder.Dispose();

    [TestCaseSource(nameof(Runtimes))]
    public async Task The_writer_of_another_process_is_respected_until_it_dies(string runtime)
    {
        using var holder = new OtherProcess(runtime, "hold", _folder.Journal);
        Assert.That((await holder.SaysAsync(1))[0], Is.EqualTo("open"));
        Assert.That(Assert.Throws<JournalException>(() => PacketJournal.Open(_folder.Journal))!.Fault, Is.EqualTo(JournalFault.InUse));
        Assert.That(Assert.Throws<JournalException>(() =>
            PacketJournal.Compact(_folder.Journal, new JournalRetention { MaxBytes = 0 }))!.Fault, Is.EqualTo(JournalFault.InUse));
        Assert.That(PacketJournal.Verify(_folder.Journal).Packets, Is.Zero, "readers need no lock");
        await holder.KillAsync();
        using PacketJournal journal = PacketJournal.Open(_folder.Journal);
        Assert.That(journal.Recovery.Found, Is.EqualTo(JournalCondition.NotClosed));
    }

    [TestCaseSource(nameof(Runtimes))]
    public async Task This_processes_writer_is_respected_by_another(string runtime)
    {
        using PacketJournal journal = PacketJournal.Open(_folder.Journal);
        using var other = new OtherProcess(runtime, "hold", _folder.Journal);
        ProcessExit end = await other.EndsAsync();
        Assert.That((end.ShellExitCode, other.Lines.Single()), Is.EqualTo((3, "InUse")));
        Assert.That(journal.Append(1), Is.EqualTo(1));
    }

    [TestCaseSource(nameof(Runtimes))]
    public async Task A_reader_of_another_process_follows_while_segments_are_recycled(string runtime)
    {
        const int Rounds = 60, Each = 200, Together = 20;
        long last = 0;
        using OtherProcess reader = await WriteAsync();
        ProcessExit end = await reader.EndsAsync();
        string said = reader.Lines.Last();
        Assert.That(end.ShellExitCode, Is.Zero, said);
        Assert.That(said, Does.Contain($" last {last} ").And.EndWith(" end Closed"));

        async Task<OtherProcess> WriteAsync()
        {
            var options = new JournalOptions
            {
                SegmentBytes = 64 << 10, MaxPacketBytes = 4096, MaxBytes = 4 * (64 << 10), DropOldestWhenFull = true,
            };
            using PacketJournal journal = PacketJournal.Open(_folder.Journal, options);
            journal.Append(++last);
            var follower = new OtherProcess(runtime, "follow", _folder.Journal);
            await follower.SaysAsync(1);
            for (int i = 0; i < Rounds * Each; i += Together)
            {
                JournalPacket[] packets =
                    [.. Enumerable.Range(0, Together).Select(_ => new JournalPacket(Numbered.Node, 1, Numbered.Body(++last, 300)))];
                journal.Append(packets);
            }

            Assert.That(journal.Status.RecycledSegments, Is.AtLeast(20));
            return follower;
        }
    }

    /// <summary>What was acknowledged outlives kill -9 under every policy: what acknowledged means there is at least written.</summary>
    [TestCase(JournalSync.GroupCommit, "write")]
    [TestCase(JournalSync.Always, "write")]
    [TestCase(JournalSync.EverySecond, "write")]
    [TestCase(JournalSync.None, "write")]
    [TestCase(JournalSync.GroupCommit, "uring")]
    [TestCase(JournalSync.Always, "uring")]
    public async Task A_killed_writer_loses_nothing(JournalSync sync, string backEnd)
    {
        const int Kills = 3;
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        long next = 1;
        for (int kill = 0; kill < Kills; kill++)
        {
            using var writer = new OtherProcess(TestHost.Own, backEnd,
                ["write", _folder.Journal, sync.ToString(), "65536", next.ToString(CultureInfo.InvariantCulture)]);
            await writer.SaysAsync(random.Next(1, 1500));
            await writer.KillAsync();
            long acknowledged = long.Parse(writer.Lines.Last(), CultureInfo.InvariantCulture);
            JournalReport report = PacketJournal.Verify(_folder.Journal);
            Assert.That(report.Condition, Is.AnyOf(JournalCondition.NotClosed, JournalCondition.Torn));
            Assert.That(report.Findings, Has.Count.EqualTo(1));
            long[] numbers = [.. Numbered.ReadAll(_folder.Journal).Select(r => r.Number)];
            Assert.That(numbers, Is.EqualTo(Enumerable.Range(1, numbers.Length)), "in order, none missing, none twice");
            Assert.That(numbers.Length, Is.AtLeast(acknowledged));
            TestContext.Out.WriteLine($"{acknowledged} acknowledged, {numbers.Length} there, {report.Condition}");
            next = numbers.Length + 1;
        }

        using (PacketJournal journal = PacketJournal.Open(_folder.Journal))
        {
            Assert.That(journal.Append(next), Is.GreaterThan(next));
        }

        Assert.That(PacketJournal.Verify(_folder.Journal).IsValid, Is.True);
    }

    [TestCase("write")]
    [TestCase("uring")]
    public async Task A_killed_main_node_has_everything_that_its_worker_was_told_is_flushed(string backEnd)
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        using var writer = new OtherProcess(TestHost.Own, backEnd, ["linked", _folder.Journal, "65536"]);
        await writer.SaysAsync(new Random(seed).Next(1, 1500));
        await writer.KillAsync();
        long acknowledged = long.Parse(writer.Lines.Last(), CultureInfo.InvariantCulture);
        long[] numbers = [.. Numbered.ReadAll(_folder.Journal).Select(r => r.Number)];
        Assert.That(numbers, Is.EqualTo(Enumerable.Range(1, numbers.Length)), "in order, none missing, none twice");
        Assert.That(numbers.Length, Is.AtLeast(acknowledged));
    }
}
