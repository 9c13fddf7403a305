using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics.Tracing;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Stores;

/// <summary>Which back end is chosen, and what uring does on the real disk.</summary>
[NonParallelizable]   // the environment is one for all
internal sealed class BackEndTests
{
    private TestFolder _folder = null!;

    [SetUp]
    public void MakeFolder() => _folder = new TestFolder();

    [TearDown]
    public void Clean()
    {
        Environment.SetEnvironmentVariable(BackEndChoice.Variable, null);
        _folder.Dispose();
    }

    [TestCase(null, JournalBackEnd.Automatic, "write", "the default")]
    [TestCase("write", JournalBackEnd.Automatic, "write", "asked for by TRANSPORT_JOURNAL_IO")]
    [TestCase("fast", JournalBackEnd.Automatic, "write", "\"fast\"; write and uring are")]
    [TestCase("uring", JournalBackEnd.Write, "write", "asked for by the option")]
    public void The_choice_and_its_reason_are_reported(string? variable, JournalBackEnd option, string name, string reason)
    {
        Environment.SetEnvironmentVariable(BackEndChoice.Variable, variable);
        using PacketJournal journal = PacketJournal.Open(_folder.Journal, new JournalOptions { BackEnd = option });
        Assert.That(journal.BackEnd, Is.EqualTo(name));
        Assert.That(journal.BackEndReason, Does.Contain(reason));
        Assert.That(journal.Status.BackEnd, Is.EqualTo(name));
        Assert.That(PacketJournal.Survey(_folder.Journal).BackEnd, Is.EqualTo($"{name} ({journal.BackEndReason})"));
    }

    [Test]
    public void The_choice_is_an_event()
    {
        if (Type.GetType("Mono.Runtime") is not null)
        {
            Assert.Ignore("Mono's EventSource reports no listener");
        }

        using var listener = new OpenedListener();
        using PacketJournal journal = PacketJournal.Open(_folder.Journal, new JournalOptions { BackEnd = JournalBackEnd.Write });
        Assert.That(listener.Reported, Does.Contain($"{_folder.Journal} write asked for by the option"));
    }

    [Test]
    public void Uring_is_taken_where_it_is_there_and_falls_back_with_a_reason_where_not()
    {
        bool isThere = IsThere(out string why);
        Environment.SetEnvironmentVariable(BackEndChoice.Variable, "uring");
        using PacketJournal journal = PacketJournal.Open(_folder.Journal, new JournalOptions());
        TestContext.Out.WriteLine($"{journal.BackEnd}: {journal.BackEndReason}");
        Assert.That(journal.BackEnd, Is.EqualTo(isThere ? "uring" : "write"));
        Assert.That(journal.BackEndReason, isThere ? Is.EqualTo("asked for by TRANSPORT_JOURNAL_IO")
            : Is.EqualTo("TRANSPORT_JOURNAL_IO asks for uring: " + why));
        Assert.That(journal.Append(1), Is.EqualTo(1));
    }

    [TestCase(JournalSync.EverySecond)]
    [TestCase(JournalSync.None)]
    public void Policies_that_do_not_sync_each_commit_are_written(JournalSync sync)
    {
        Environment.SetEnvironmentVariable(BackEndChoice.Variable, "uring");
        using (PacketJournal journal = PacketJournal.Open(_folder.Journal, new JournalOptions { Sync = sync }))
        {
            Assert.That((journal.BackEnd, journal.BackEndReason), Is.EqualTo(
                ("write", $"TRANSPORT_JOURNAL_IO asks for uring: it makes each commit durable, and {sync} does not ask for that")));
        }

        JournalException refused = Assert.Throws<JournalException>(() => PacketJournal.Open(_folder.Journal, new JournalOptions
        {
            Sync = sync, BackEnd = JournalBackEnd.Uring,
        }))!;
        Assert.That(refused.Fault, Is.EqualTo(JournalFault.BackEndUnavailable));
        PacketJournal.Open(_folder.Journal).Dispose();   // nothing is left that holds it
    }

    [Test]
    public async Task Many_producers_over_uring_lose_nothing()
    {
        if (!IsThere(out string why))
        {
            Assert.Ignore("uring is not to be had here: " + why);
        }

        const int Producers = 6, Each = 300;
        var options = new JournalOptions
        {
            BackEnd = JournalBackEnd.Uring, SegmentBytes = 256 << 10, MaxPacketBytes = 1 << 20, CommitsInFlight = 4,
        };
        PacketJournal journal = PacketJournal.Open(_folder.Journal, options);
        Task<long>[] all = [.. Enumerable.Range(0, Producers)
            .Select(p => p % 2 == 0 ? Task.Run(() => Produce(p)) : Task.Run(() => ProduceAsync(p)))];
        await Task.WhenAll(all).Within("all producers");
        Assert.That(journal.Synced, Is.EqualTo(Producers * Each));
        Assert.That(journal.Status.CommitCount, Is.AtLeast(Each));
        await journal.CloseAsync();
        List<(long Position, long Number)> read = Numbered.ReadAll(_folder.Journal);
        for (int p = 0; p < Producers; p++)
        {
            Assert.That(read.Select(r => r.Number).Where(n => n / Each == p), Is.EqualTo(Enumerable.Range(p * Each, Each)),
                "each producer's order");
        }

        JournalReport report = PacketJournal.Verify(_folder.Journal);
        Assert.That(report.IsValid, Is.True, string.Join("; ", report.Findings));

        long Produce(int producer)
        {
            long last = 0;
            for (int i = 0; i < Each; i++)
            {
                last = journal.Append((producer * Each) + i, i % 50 == 49 ? 300_000 : i * 37 % 5000);
                Assert.That(journal.Committed, Is.AtLeast(last));
            }

            return last;
        }

        async Task<long> ProduceAsync(int producer)
        {
            long last = 0;
            for (int i = 0; i < Each; i++)
            {
                last = await journal.AppendAsync(Numbered.Node, 1, Numbered.Body((producer * Each) + i, i * 11 % 900));
                Assert.That(journal.Committed, Is.AtLeast(last));
            }

            return last;
        }
    }

    [Test]
    public void A_reader_follows_what_uring_writes()
    {
        if (!IsThere(out string why))
        {
            Assert.Ignore("uring is not to be had here: " + why);
        }

        var options = new JournalOptions
        {
            BackEnd = JournalBackEnd.Uring, SegmentBytes = 64 << 10, MaxPacketBytes = 4096, IdleMarkMilliseconds = 5,
        };
        using PacketJournal journal = PacketJournal.Open(_folder.Journal, options);
        using var reader = JournalReader.Open(_folder.Journal, new JournalReaderOptions { Follow = true });
        for (int i = 1; i <= 100; i++)
        {
            journal.Append(i, 500);
            long number = 0;
            Assert.That(SpinWait.SpinUntil(
                () => reader.Read(record => number = Numbered.NumberOf(record), atMost: 1) == 1, WithinExtensions.Bound), Is.True);
            Assert.That(number, Is.EqualTo(i));
        }
    }

    [Test]
    public void Blocks_are_durable_when_they_are_over()
    {
        System.IO.Directory.CreateDirectory(_folder.Journal);
        using RingWriter? ring = RingWriter.TryMake(_folder.Journal, 4, 2 * Block.Bytes, out string why);
        if (ring is null)
        {
            Assert.Ignore("uring is not to be had here: " + why);
        }

        string path = System.IO.Path.Combine(_folder.Journal, "a");
        System.IO.File.WriteAllBytes(path, new byte[8 * Block.Bytes]);
        ring!.Use("a");
        for (int i = 0; i < 4; i++)
        {
            ring.Buffer(i).Fill((byte)(i + 1));
            Assert.That(ring.Begin(i, (4 - i) * Block.Bytes, Block.Bytes), Is.EqualTo(StoreError.None));
        }

        ring.Wake();
        var over = new HashSet<int>();
        int woken = 0;
        while (over.Count < 4)
        {
            if (ring.Wait(out int index, out StoreError error))
            {
                Assert.That(error, Is.EqualTo(StoreError.None));
                Assert.That(over.Add(index), Is.True);
            }
            else
            {
                woken++;
            }
        }

        if (woken == 0)
        {
            Assert.That(ring.Wait(out _, out _), Is.False, "it was woken");
        }

        byte[] bytes = System.IO.File.ReadAllBytes(path);
        Assert.That(bytes.Where((_, i) => i % Block.Bytes == 0), Is.EqualTo(new byte[] { 0, 4, 3, 2, 1, 0, 0, 0 }));
        Assert.That(bytes.Length, Is.EqualTo(8 * Block.Bytes));
        Assert.That(Assert.Throws<StoreException>(() => ring.Use("missing"))!.Error, Is.EqualTo(StoreError.Missing));
    }

    private bool IsThere(out string why)
    {
        using RingWriter? ring = RingWriter.TryMake(_folder.Root, 1, Block.Bytes, out why);
        return ring is not null;
    }

    /// <summary>Hears which journals are opened, and how.</summary>
    private sealed class OpenedListener : EventListener
    {
        private readonly ConcurrentQueue<string> _reported = new();

        public string[] Reported => [.. _reported];

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == "Transport-Journal")
            {
                EnableEvents(eventSource, EventLevel.Informational);
            }
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (eventData.EventId == 1)
            {
                _reported?.Enqueue(string.Join(" ", eventData.Payload!));
            }
        }
    }
}
