using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Journal.Tests.Appending;

/// <summary>What every policy does for those who append.</summary>
[TestFixture(JournalSync.GroupCommit, JournalBackEnd.Write)]
[TestFixture(JournalSync.Always, JournalBackEnd.Write)]
[TestFixture(JournalSync.EverySecond, JournalBackEnd.Write)]
[TestFixture(JournalSync.None, JournalBackEnd.Write)]
[TestFixture(JournalSync.GroupCommit, JournalBackEnd.Uring)]
[TestFixture(JournalSync.Always, JournalBackEnd.Uring)]
internal sealed class PolicyTests(JournalSync sync, JournalBackEnd backEnd)
{
    private TestFolder _folder = null!;

    [SetUp]
    public void MakeFolder() => _folder = new TestFolder();

    [TearDown]
    public void RemoveFolder() => _folder.Dispose();

    [Test]
    public void What_is_appended_is_read()
    {
        using (PacketJournal journal = Open())
        {
            for (int i = 1; i <= 300; i++)
            {
                Assert.That(journal.Append(i), Is.EqualTo(i));
                Assert.That(journal.Committed, Is.EqualTo(i));
            }
        }

        AssertValid(Enumerable.Range(1, 300).Select(i => (long)i));
    }

    [Test]
    public async Task Asynchronous_appends_keep_their_order()
    {
        PacketJournal journal = Open();
        var tasks = new List<Task<long>>();
        for (int i = 1; i <= 2000; i++)
        {
            tasks.Add(journal.AppendAsync(Numbered.Node, 1024, Numbered.Body(i)).AsTask());
        }

        long[] positions = await Task.WhenAll(tasks);
        Assert.That(positions, Is.EqualTo(Enumerable.Range(1, 2000)));
        await journal.CloseAsync();
        AssertValid(positions);
    }

    [Test]
    public async Task Queued_packets_are_committed_without_waiting()
    {
        PacketJournal journal = Open();
        long last = 0;
        for (int i = 1; i <= 500; i++)
        {
            Assert.That(journal.TryAppend(Numbered.Node, 1024, Numbered.Body(i), out last), Is.EqualTo(SendResult.Queued));
        }

        Assert.That(await journal.CommitAsync(last), Is.EqualTo(500));
        Assert.That(journal.Committed, Is.EqualTo(500));
        journal.Commit(last);
        await journal.CloseAsync();
        Assert.That(journal.TryAppend(Numbered.Node, 1024, [1], out _), Is.EqualTo(SendResult.Closed));
        AssertValid(Enumerable.Range(1, 500).Select(i => (long)i));
    }

    [Test]
    public void Many_producers_share_it()
    {
        const int Producers = 8, Each = 100;
        using (PacketJournal journal = Open(1 << 16))
        {
            Thread[] threads = [.. Enumerable.Range(0, Producers).Select(p => new Thread(() => Produce(journal, p, Each)))];
            Array.ForEach(threads, t => t.Start());
            Array.ForEach(threads, t => t.Join());
            Assert.That(journal.Committed, Is.EqualTo(Producers * Each));
        }

        List<(long Position, long Number)> all = Numbered.ReadAll(_folder.Journal);
        Assert.That(all.Select(r => r.Position), Is.EqualTo(Enumerable.Range(1, Producers * Each)));
        for (int p = 0; p < Producers; p++)
        {
            Assert.That(all.Select(r => r.Number).Where(n => n / Each == p), Is.EqualTo(Enumerable.Range(p * Each, Each)),
                "each producer's order");
        }

        Assert.That(PacketJournal.Verify(_folder.Journal).IsValid, Is.True);
    }

    [Test]
    public void Several_packets_go_together()
    {
        using (PacketJournal journal = Open())
        {
            JournalPacket[] packets =
                [.. Enumerable.Range(1, 100).Select(i => new JournalPacket(Numbered.Node, 7, Numbered.Body(i, i * 10)))];
            Assert.That(journal.Append(packets), Is.EqualTo(100));
            Assert.That(journal.Append([]), Is.EqualTo(100));
            Assert.That(journal.Committed, Is.EqualTo(100));
        }

        AssertValid(Enumerable.Range(1, 100).Select(i => (long)i));
    }

    [Test]
    public void Large_packets_have_segments_of_their_own()
    {
        using (PacketJournal journal = Open(1 << 16))
        {
            Assert.That(journal.Append(1, 3_000_000), Is.EqualTo(1));
            Assert.That(journal.Append(2), Is.EqualTo(2));
            Assert.That(journal.Append(3, 500_000), Is.EqualTo(3));
            Assert.That(Assert.Throws<JournalException>(() => journal.Append(4, (16 << 20) + 1))!.Fault,
                Is.EqualTo(JournalFault.PacketTooLarge));
        }

        AssertValid([1, 2, 3]);
    }

    [Test]
    public void Many_segments_are_one_journal()
    {
        using (PacketJournal journal = Open(1 << 16))
        {
            for (int i = 1; i <= 600; i++)
            {
                journal.Append(i, 1000);
            }

            Assert.That(journal.Status.Segments, Is.AtLeast(9));
        }

        AssertValid(Enumerable.Range(1, 600).Select(i => (long)i));
    }

    [Test]
    public void Positions_go_on_after_closing()
    {
        for (int opening = 1; opening <= 5; opening++)
        {
            using PacketJournal journal = Open(1 << 16);
            Assert.That(journal.Epoch, Is.EqualTo((uint)opening));
            Assert.That(journal.Recovery.Found, Is.EqualTo(JournalCondition.Closed));
            Assert.That(journal.Recovery.Line, Is.Null);
            for (int i = 1; i <= 50; i++)
            {
                Assert.That(journal.Append(((opening - 1) * 50) + i, 300), Is.EqualTo(((opening - 1) * 50) + i));
            }
        }

        AssertValid(Enumerable.Range(1, 250).Select(i => (long)i));
    }

    private void Produce(PacketJournal journal, int producer, int count)
    {
        for (int i = 0; i < count; i++)
        {
            _ = journal.Append((producer * count) + i, 200);
        }
    }

    private PacketJournal Open(long segment = 1 << 20)
    {
        try
        {
            var options = new JournalOptions { Sync = sync, SegmentBytes = segment, BackEnd = backEnd };
            return PacketJournal.Open(_folder.Journal, options);
        }
        catch (JournalException e) when (e.Fault == JournalFault.BackEndUnavailable)
        {
            Assert.Ignore(e.Message);
            throw;
        }
    }

    private void AssertValid(IEnumerable<long> numbers)
    {
        List<(long Position, long Number)> all = Numbered.ReadAll(_folder.Journal);
        Assert.That(all.Select(r => r.Number), Is.EqualTo(numbers));
        Assert.That(all.Select(r => r.Position), Is.EqualTo(numbers));
        JournalReport report = PacketJournal.Verify(_folder.Journal);
        Assert.That(report.Findings, Is.Empty);
        Assert.That(report.Condition, Is.EqualTo(JournalCondition.Closed));
        Assert.That(report.Packets, Is.EqualTo(all.Count));
    }
}
