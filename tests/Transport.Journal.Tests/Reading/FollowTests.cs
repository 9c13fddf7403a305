using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Reading;

/// <summary>Readers that go on with what is appended.</summary>
[TestFixture(JournalSync.GroupCommit)]
[TestFixture(JournalSync.EverySecond)]
internal sealed class FollowTests(JournalSync sync)
{
    private static readonly TimeSpan Bound = WithinExtensions.Bound;

    private TestFolder _folder = null!;

    [SetUp]
    public void MakeFolder() => _folder = new TestFolder();

    [TearDown]
    public void RemoveFolder() => _folder.Dispose();

    [TestCase(true)]
    [TestCase(false)]
    public async Task Everything_comes_in_order_while_it_is_written(bool ownReader)
    {
        const int Count = 3000;
        using var bound = new CancellationTokenSource(Bound);
        PacketJournal journal = PacketJournal.Open(_folder.Journal, new JournalOptions { Sync = sync, SegmentBytes = 64 << 10 });
        Task<List<long>> reading =
            FollowAsync(ownReader ? journal.OpenReader(Options) : JournalReader.Open(_folder.Journal, Options), bound.Token);
        for (int i = 1; i <= Count; i++)
        {
            _ = journal.TryAppend(Numbered.Node, 1, Numbered.Body(i, 200), out _);
        }

        await journal.CommitAsync(journal.Appended);
        await journal.CloseAsync();
        Assert.That(await reading, Is.EqualTo(Enumerable.Range(1, Count)));
    }

    [TestCase(true)]
    [TestCase(false)]
    public async Task The_last_packet_before_a_pause_is_shown(bool ownReader)
    {
        using var bound = new CancellationTokenSource(Bound);
        var options = new JournalOptions { Sync = sync, SegmentBytes = 64 << 10 };
        await using PacketJournal journal = PacketJournal.Open(_folder.Journal, options);
        using JournalReader reader = ownReader ? journal.OpenReader(Options) : JournalReader.Open(_folder.Journal, Options);
        for (int i = 1; i <= 5; i++)
        {
            journal.Append(i);
            JournalRecord record;
            while (!reader.TryRead(out record))
            {
                Assert.That(await reader.WaitAsync(bound.Token), Is.True);
            }

            Assert.That(Numbered.NumberOf(record), Is.EqualTo(i));
        }
    }

    [Test]
    public async Task The_last_packet_of_a_full_segment_is_shown()
    {
        const int Segment = 64 << 10, Reserve = 128, Header = 40, Node = 2;
        using var bound = new CancellationTokenSource(Bound);
        await using PacketJournal journal = PacketJournal.Open(_folder.Journal, new JournalOptions { Sync = sync, SegmentBytes = Segment });
        using JournalReader reader = JournalReader.Open(_folder.Journal, Options);
        journal.Append(1);
        await ExpectAsync(1);
        await FoundAsync(() => sync != JournalSync.GroupCommit || PacketJournal.Verify(_folder.Journal).SyncedPosition == 1);
        long used = PacketJournal.Verify(_folder.Journal).Segments[0].UsedBytes;
        journal.Append(2, (int)(Segment - Reserve - used) - Header - Node);
        await ExpectAsync(2);

        async Task ExpectAsync(long number)
        {
            JournalRecord record;
            while (!reader.TryRead(out record))
            {
                Assert.That(await reader.WaitAsync(bound.Token), Is.True);
            }

            Assert.That(Numbered.NumberOf(record), Is.EqualTo(number));
        }

        async Task FoundAsync(Func<bool> isSo)
        {
            while (!isSo())
            {
                _ = await reader.WaitAsync(bound.Token);
            }
        }
    }

    [Test]
    public async Task An_exited_writer_is_found_out()
    {
        using var bound = new CancellationTokenSource(Bound);
        string copy;
        using (PacketJournal journal = PacketJournal.Open(_folder.Journal, new JournalOptions
        {
            Sync = sync, SegmentBytes = 64 << 10, IdleMarkMilliseconds = 0,
        }))
        {
            journal.Append(1);
            journal.Append(2);
            copy = _folder.CopyOf(_folder.Journal, "killed");   // as it is when the process is killed: no close record
        }

        JournalReader reader = JournalReader.Open(copy, Options);
        Assert.That(await FollowAsync(reader, bound.Token), Is.EqualTo([1L, 2L]));
        Assert.That(reader.Condition, Is.EqualTo(JournalCondition.NotClosed));
    }

    /// <summary>Whatever a writer does meanwhile, who looks at its journal never takes that for damage.</summary>
    [Test]
    public async Task A_live_journal_is_never_called_damaged()
    {
        const int Segments = 60;
        var options = new JournalOptions
        {
            Sync = sync, SegmentBytes = 64 << 10, MaxPacketBytes = 4096, MaxBytes = 4 * (64 << 10), DropOldestWhenFull = true,
        };
        await using PacketJournal journal = PacketJournal.Open(_folder.Journal, options);
        Task writing = Task.Run(() =>
        {
            JournalPacket[] packets = [.. Enumerable.Range(1, 10).Select(i => new JournalPacket(Numbered.Node, 1, Numbered.Body(i, 300)))];
            while (journal.Status.RecycledSegments < Segments)
            {
                journal.Append(packets);
            }
        });
        int looks = 0;
        for (; !writing.IsCompleted || looks == 0; looks++)
        {
            JournalReport report = PacketJournal.Verify(_folder.Journal);
            Assert.That(report.Condition, Is.Not.EqualTo(JournalCondition.Damaged), () => string.Join("; ", report.Findings));
            try
            {
                using var reader = JournalReader.Open(_folder.Journal);
                while (reader.TryRead(out _))
                {
                }

                Assert.That(reader.Condition, Is.Not.EqualTo(JournalCondition.Damaged), () => reader.Ending!);
            }
            catch (JournalException e) when (e.Fault == JournalFault.Compacted)
            {
                // It was overtaken.
            }
        }

        await writing;
        TestContext.Out.WriteLine($"{looks} looks");
    }

    [Test]
    public async Task A_cancelled_wait_ends()
    {
        using PacketJournal journal = PacketJournal.Open(_folder.Journal, new JournalOptions { Sync = sync });
        using JournalReader reader = journal.OpenReader(Options);
        using var cancelled = new CancellationTokenSource();
        Assert.That(reader.TryRead(out _), Is.False);
        Task waiting = reader.WaitAsync(cancelled.Token).AsTask();
        cancelled.Cancel();
        await Assert.ThrowsAsync(Is.InstanceOf<OperationCanceledException>(), async () => await waiting);
    }

    /// <summary>It waited for progress that could not change anything, for as long as the journal was open.</summary>
    [Test]
    public async Task A_reader_that_finds_its_first_header_unreadable_waits_for_nothing()
    {
        using PacketJournal journal = PacketJournal.Open(_folder.Journal, new JournalOptions { SegmentBytes = 64 << 10 });
        for (int i = 1; i <= 300; i++)
        {
            journal.Append(Numbered.Node, 1, Numbered.Body(i, 500));
        }

        string first = Directory.GetFiles(_folder.Journal, "*.segment").OrderBy(name => name, StringComparer.Ordinal).First();
        using (var file = new FileStream(first, FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
        {
            file.Write(new byte[file.Length], 0, (int)file.Length);
        }

        using JournalReader reader = journal.OpenReader(new JournalReaderOptions { From = 1, Follow = true });
        Assert.That(reader.TryRead(out _), Is.False);
        Assert.That(await reader.WaitAsync().AsTask().Within("the end"), Is.False);
        Assert.That(reader.Condition, Is.EqualTo(JournalCondition.Damaged));
    }

    private static JournalReaderOptions Options => new() { Follow = true, PollInterval = TimeSpan.FromMilliseconds(5) };

    private static async Task<List<long>> FollowAsync(JournalReader reader, CancellationToken bound)
    {
        await Task.Yield();
        using (reader)
        {
            var numbers = new List<long>();
            do
            {
                numbers.AddRange(reader.ReadAll().Select(r => r.Number));
            }
            while (await reader.WaitAsync(bound));
            return numbers;
        }
    }
}
