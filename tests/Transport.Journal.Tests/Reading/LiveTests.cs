using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Journal.Tests.Reading;

/// <summary>What <see cref="PacketJournal.Verify"/> says of a journal that has a writer: it once said "not closed", as of a killed
/// writer's.</summary>
internal sealed class LiveTests
{
    private TestFolder _folder = null!;

    [SetUp]
    public void MakeFolder() => _folder = new TestFolder();

    [TearDown]
    public void RemoveFolder() => _folder.Dispose();

    [Test]
    public void A_journal_that_is_being_written_is_said_to_be_that_and_valid()
    {
        using PacketJournal journal = Open();
        for (int i = 1; i <= 100; i++)
        {
            journal.Append(i, 2000);
        }

        foreach (JournalReport report in new[] { PacketJournal.Verify(_folder.Journal), PacketJournal.Survey(_folder.Journal).Report })
        {
            Assert.That((report.IsBeingWritten, report.IsValid, report.Condition, report.Findings.Count),
                Is.EqualTo((true, true, JournalCondition.NotClosed, 0)));
            Assert.That((report.Packets, report.LastPosition), Is.EqualTo((100, 100)));
        }

        JournalReport killed = PacketJournal.Verify(_folder.CopyOf(_folder.Journal, "killed"));
        Assert.That((killed.IsBeingWritten, killed.IsValid, killed.Condition), Is.EqualTo((false, false, JournalCondition.NotClosed)));
        Assert.That(killed.Findings.Single(), Does.Contain("not closed"));
        journal.Dispose();
        JournalReport closed = PacketJournal.Verify(_folder.Journal);
        Assert.That((closed.IsBeingWritten, closed.IsValid, closed.Condition), Is.EqualTo((false, true, JournalCondition.Closed)));
    }

    [Test]
    public void Damage_is_damage_also_beside_a_writer()
    {
        using PacketJournal journal = Open();
        for (int i = 1; i <= 100; i++)
        {
            journal.Append(i, 2000);
        }

        using (var file = new FileStream(_folder.Segment(1), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite))
        {
            file.Position = 20_000;
            int was = file.ReadByte();
            file.Position = 20_000;
            file.WriteByte((byte)(was ^ 1));
        }

        JournalReport report = PacketJournal.Verify(_folder.Journal);
        Assert.That((report.IsBeingWritten, report.IsValid, report.Condition), Is.EqualTo((true, false, JournalCondition.Damaged)));
        Assert.That(report.Findings[0], Does.StartWith("0000000001.segment, offset "));
    }

    [Test]
    public async Task A_writer_at_full_speed_is_never_called_torn_or_damaged([Values(JournalSync.GroupCommit,
        JournalSync.None)] JournalSync sync)
    {
        const int Looks = 30;
        using PacketJournal journal = Open(sync);
        using var enough = new CancellationTokenSource();
        Task writing = Task.Run(() =>
        {
            for (int i = 1; !enough.IsCancellationRequested; i++)
            {
                journal.Append(i, i % 3000);
            }
        });
        try
        {
            for (int i = 0; i < Looks; i++)
            {
                JournalReport report = PacketJournal.Verify(_folder.Journal);
                Assert.That(report.IsValid && report.IsBeingWritten, Is.True,
                    $"{i}: {report.Condition}, {string.Join("; ", report.Findings)}");
            }
        }
        finally
        {
            enough.Cancel();
            await writing;
        }
    }

    private PacketJournal Open(JournalSync sync = JournalSync.GroupCommit) => PacketJournal.Open(_folder.Journal, new JournalOptions
    {
        Sync = sync,
        SegmentBytes = 64 << 10,
        Retention = new JournalRetention { MaxBytes = 512 << 10 },
    });
}
