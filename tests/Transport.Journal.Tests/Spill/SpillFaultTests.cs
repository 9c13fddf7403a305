using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing.Links;

namespace Transport.Journal.Tests.Spill;

/// <summary>A journal that takes nothing, or fails, is answered and reported; nothing that was taken is lost without a word.</summary>
internal sealed class SpillFaultTests : SpillFixture
{
    [Test]
    public async Task A_full_journal_answers_full_by_its_name_and_what_was_taken_arrives()
    {
        await using SpillingSender sender = Rig.Open(
            o => o.Journal = new JournalOptions { SegmentBytes = 64 << 10, MaxBytes = 256 << 10, MaxQueuedBytes = 64 << 10 });
        long next = 1;
        SpillRig.Until(() => !TrySend(sender, ref next) && Rig.Reported(SpillEvent.JournalFull), "it is full at last");
        Assert.That(Rig.TheReport(SpillEvent.JournalFull).Fault, Is.EqualTo(JournalFault.JournalFull));
        Assert.That(sender.Status.Refused, Is.GreaterThan(0));
        Rig.Arrive();
        SpillRig.Until(() => Rig.Numbers.Length == next - 1, "what was taken comes");
        SpillRig.Until(() => TrySend(sender, ref next), "there is capacity again");
        Rig.ExpectAll(1, next - 1);
    }

    [Test]
    public async Task A_packet_whose_send_throws_takes_its_number_along_and_no_other_is_lost_for_it()
    {
        var pool = new FailingPool();
        await using SpillingSender sender = OpenOn(pool);
        var queued = new List<long> { 1 };
        int thrown = 0;
        for (long number = 2; number <= 300; number++)
        {
            pool.Arm();
            try
            {
                if (sender.TrySend(NumberPacket.Type, new NumberPacket(number, new byte[3000])) == SendResult.Queued)
                {
                    queued.Add(number);
                }
            }
            catch (OutOfMemoryException)
            {
                thrown++;
            }
            finally
            {
                pool.Disarm();
            }
        }

        Assert.That(thrown, Is.GreaterThan(10), "memory failed often enough");
        SpillStatus end = await sender.CloseAsync(SpillRig.Patience);
        Assert.That(end.IsDelivered, Is.True);
        Assert.That(queued.Except(Rig.Numbers), Is.Empty, "what was queued is handled");
        Assert.That(Rig.Numbers, Is.Ordered.And.Unique);
    }

    [Test]
    public async Task A_packet_whose_send_throws_is_not_waited_for_when_it_is_the_last()
    {
        var pool = new FailingPool();
        await using SpillingSender sender = OpenOn(pool);
        var padding = new byte[3000];
        int thrown = 0;
        for (long number = 2; thrown < 12; number++)
        {
            Assert.That(number, Is.LessThan(2000), "memory fails often enough");
            pool.Arm();
            try
            {
                _ = sender.TrySend(NumberPacket.Type, new NumberPacket(number, padding));
            }
            catch (OutOfMemoryException)
            {
                thrown++;
                SpillRig.Until(() => sender.Status.IsDelivered, "what was queued is acknowledged, and nothing else is waited for");
            }
            finally
            {
                pool.Disarm();
            }
        }

        Assert.That((await sender.CloseAsync(SpillRig.Patience)).IsDelivered, Is.True);
    }

    [Test]
    public async Task An_unexpected_exception_of_what_serves_a_link_ends_that_link_and_there_is_another()
    {
        var disk = new SimulatedDisk(5);
        int failures = 0;
        await using SpillingSender sender = Rig.Open(o => o.Journal = OnDisk(disk));
        SpillRig.Send(sender, 1, 10);
        disk.Opening = _ =>
        {
            if (Interlocked.Increment(ref failures) == 1)
            {
                throw new InvalidOperationException("unexpected");
            }
        };
        Rig.Arrive();
        Rig.ExpectAll(1, 10);
        Assert.That(failures, Is.GreaterThan(1), "the first link's pump failed");
        Assert.That(Rig.Reports.Where(r => r.Event == SpillEvent.AttemptFailed).Select(r => r.Message), Has.Some.Contains("unexpected"));
    }

    [Test]
    public async Task A_close_without_limit_waits_for_the_main_node([Values] bool isHuge)
    {
        SpillingSender sender = Rig.Open();
        SpillRig.Send(sender, 1, 10);
        Task<SpillStatus> closing = sender.CloseAsync(isHuge ? TimeSpan.MaxValue : Timeout.InfiniteTimeSpan);
        int attempts = Rig.Count(SpillEvent.AttemptFailed);
        SpillRig.Until(() => Rig.Count(SpillEvent.AttemptFailed) > attempts + 2, "it goes on looking for a main node");
        Assert.That(closing.IsCompleted, Is.False);
        Rig.Arrive();
        Assert.That((await closing.WaitAsync()).IsDelivered, Is.True);
        Rig.ExpectAll(1, 10);
    }

    [Test]
    public async Task A_close_that_is_cancelled_waits_no_longer_and_what_is_left_stays_in_the_journal()
    {
        SpillingSender sender = Rig.Open();
        SpillRig.Send(sender, 1, 10);
        using var cancel = new CancellationTokenSource();
        Task<SpillStatus> closing = sender.CloseAsync(Timeout.InfiniteTimeSpan, cancel.Token);
        int attempts = Rig.Count(SpillEvent.AttemptFailed);
        SpillRig.Until(() => Rig.Count(SpillEvent.AttemptFailed) > attempts + 2, "it goes on looking for a main node");
        Assert.That(closing.IsCompleted, Is.False);
        cancel.Cancel();
        Assert.That((await closing.WaitAsync()).IsDelivered, Is.False);
        await using SpillingSender next = Rig.Open();
        Rig.Arrive();
        Rig.ExpectAll(1, 10);
    }

    [Test]
    public async Task A_close_with_a_negative_time_closes_at_once_and_everything()
    {
        SpillingSender sender = Rig.Open();
        SpillRig.Send(sender, 1, 10);
        Assert.That((await sender.CloseAsync(TimeSpan.MinValue).WaitAsync()).IsDelivered, Is.False);
        await using SpillingSender next = Rig.Open();
        Rig.Arrive();
        Rig.ExpectAll(1, 10);
    }

    [Test]
    public async Task A_journal_that_fails_is_reported_and_the_lane_goes_on_without_it()
    {
        var disk = new SimulatedDisk(5);
        await using SpillingSender sender = Rig.Open(o => o.Journal = OnDisk(disk));
        SpillRig.Send(sender, 1, 500);
        SpillRig.Until(() => sender.Journals[0].Committed == sender.Journals[0].Appended, "all is written");
        disk.Inject = (call, _) => call == "sync" ? StoreError.Broken : StoreError.None;
        long next = 501;
        SpillRig.Until(() => !TrySend(sender, ref next), "sends are answered Full");
        SpillRig.Until(() => Rig.Reported(SpillEvent.JournalFailed), "it is reported");
        SpillReport failed = Rig.TheReport(SpillEvent.JournalFailed);
        Assert.That((failed.Fault, failed.Packets), Is.EqualTo((JournalFault.SyncFailed, next - 501)), failed.Message);
        Rig.Arrive();
        SpillRig.Until(() => Rig.Numbers.Length >= 500, "what the journal had acknowledged comes");
        long direct = next = 1_000_000;
        SpillRig.Until(() => TrySend(sender, ref next), "packets go directly");
        SpillRig.Until(() => Rig.Numbers is { Length: > 0 } n && n[n.Length - 1] == direct, "that one comes");
        Assert.That(Rig.Numbers, Is.EqualTo(Enumerable.Range(1, 500).Append((int)direct)));
        Assert.That((await sender.CloseAsync()).IsDelivered, Is.False, "not all that was taken");
    }

    [Test]
    public async Task After_a_power_cut_what_the_journal_had_acknowledged_arrives([Range(1, 5)] int seed)
    {
        var disk = new SimulatedDisk(seed);
        bool isOver = false;   // a process sends nothing after a power cut, from its memory neither
        SpillingSender first = Rig.OpenUntil(() => Volatile.Read(ref isOver), o => o.Journal = OnDisk(disk));
        SpillRig.Send(first, 1, 3000);
        Rig.Hold();
        Rig.Arrive();
        SpillRig.Until(() => first.Link is not null, "a link, that gets some of them");
        SpillRig.Send(first, 3001, 4000);
        long committed = first.Journals[0].Committed, direct = first.Status.Direct;   // none, unless the pump was faster than this thread
        SimulatedDisk after = disk.Restart(seed);
        disk.CutAt = disk.Calls + 1;   // the first one does nothing to the disk any more
        Volatile.Write(ref isOver, true);
        Task leaving = Rig.LeaveAsync();
        Rig.GoOn();
        await leaving;
        await using SpillingSender second = Rig.Open(o => o.Journal = OnDisk(after));
        Rig.Arrive();
        SpillRig.Send(second, 1_000_000, 1_000_000);
        SpillRig.Until(() => Rig.Numbers is { Length: > 0 } n && n[n.Length - 1] == 1_000_000, "the new one comes last");
        long[] numbers = Rig.Numbers;
        Assert.That(numbers, Is.Ordered.And.Unique);
        Assert.That(numbers.Length - 1, Is.GreaterThanOrEqualTo((int)committed), "everything acknowledged by the journal");
        int[] missing = [.. Enumerable.Range(1, (int)numbers[numbers.Length - 2]).Except(numbers.Select(n => (int)n))];
        Assert.That(missing, Has.Length.LessThanOrEqualTo((int)direct), "what was in memory alone is gone with the process");
        _ = first.CloseAsync(TimeSpan.Zero);
    }

    [Test]
    public async Task A_main_node_that_takes_less_is_not_connected_to_and_that_is_reported()
    {
        await using SpillingSender sender = Rig.Open(o => (o.MaxPacketBytes, o.Journal.MaxPacketBytes) = (20 << 20, 21 << 20));
        Rig.Arrive();
        SpillRig.Until(() => Rig.Reported(SpillEvent.AttemptFailed), "it is reported");
        SpillRig.Until(
            () => Rig.Reports.Any(r => r.Event == SpillEvent.AttemptFailed && r.Message.Contains("MaxPacketBytes")),
            "with what to do");
        Assert.That(Rig.Reported(SpillEvent.Connected), Is.False);
    }

    [Test]
    public async Task Packets_that_a_main_node_must_refuse_are_refused_here()
    {
        await using SpillingSender sender = Rig.Open(o => o.MaxPacketBytes = 1000);
        var packet = new NumberPacket(1, new byte[2000]);
        TransportException large = Assert.Throws<TransportException>(() => _ = sender.TrySend(NumberPacket.Type, packet))!;
        TransportException malformed = Assert.Throws<TransportException>(() => _ = sender.TrySendRaw(1024, [0xc1]))!;
        TransportFault[] expected = [TransportFault.PacketTooLarge, TransportFault.PacketMalformed];
        Assert.That(new[] { large.Fault, malformed.Fault }, Is.EqualTo(expected));
        Assert.Throws<ArgumentException>(() => _ = sender.TrySendRaw(288, [0xc0]));
        SpillRig.Send(sender, 1, 10);
        Rig.Arrive();
        Rig.ExpectAll(1, 10);
    }

    [Test]
    public void Options_out_of_range_are_named_at_once()
    {
        ArgumentException wrong = Assert.Throws<ArgumentException>(() => Rig.Open(o =>
        {
            o.Lanes = [Lane.Urgent];
            o.MaxMemoryBytes = 1;
            o.Journal.DropOldestWhenFull = true;
            o.MaxPacketBytes = 0;
            o.MinBackoff = TimeSpan.Zero;
            o.MaxBackoff = TimeSpan.FromDays(2);
        }))!;
        foreach (string word in new[] { "Lanes = Urgent", "refuse", "MaxMemoryBytes", "MaxPacketBytes", "MinBackoff", "MaxBackoff" })
        {
            Assert.That(wrong.Message, Does.Contain(word));
        }

        foreach (Lane[] lanes in new Lane[][] { [], [Lane.Bulk, Lane.Bulk], [Lane.Normal, Lane.Bulk, Lane.Normal] })
        {
            Assert.Throws<ArgumentException>(() => Rig.Open(o => o.Lanes = lanes));
        }
    }

    [Test]
    public void A_directory_that_cannot_be_made_is_a_journals_fault()
    {
        string file = System.IO.Path.GetTempFileName();
        try
        {
            string below = System.IO.Path.Combine(file, "spill");
            foreach (string directory in new[] { file, below })
            {
                JournalException reported = Assert.Throws<JournalException>(
                    () => SpillingSender.Open(directory, (_, _) => Task.FromResult<SpillTarget?>(null)))!;
                Assert.That(reported.Fault, Is.EqualTo(JournalFault.NotAJournal));
                Assert.That(reported.Message, Does.Contain(directory));
            }
        }
        finally
        {
            System.IO.File.Delete(file);
        }
    }

    /// <summary>Opens a sender on this memory, caught up with a main node.</summary>
    private SpillingSender OpenOn(SegmentPool pool)
    {
        SpillingSender sender = Rig.Open(o =>
        {
            SpillRig.Budget(o, 1 << 20);
            o.Link.Pool = pool;
        });
        Rig.Arrive();
        Rig.SendFirst(sender);
        return sender;
    }

    private static JournalOptions OnDisk(SimulatedDisk disk) =>
        new() { SegmentBytes = 256 << 10, Store = disk.Store(), StoreForReaders = disk.Store };

    [Test]
    public async Task A_connect_function_that_throws_an_unreadable_exception_is_called_again()
    {
        int calls = 0;
        SpillOptions options = Rig.Options(o => o.OnReport = _ => throw new UnreadableException());
        await using SpillingSender sender = SpillingSender.Open(Rig.Directory, Connect, options);
        SpillRig.Until(() => Volatile.Read(ref calls) > 2, "more attempts");

        Task<SpillTarget?> Connect(SpillAttempt attempt, CancellationToken cancellation)
        {
            Interlocked.Increment(ref calls);
            throw new UnreadableException();
        }
    }

    /// <summary>Finds no memory at every third rent of the thread that armed it.</summary>
    private sealed class FailingPool : SegmentPool
    {
        private readonly ShelfPool _inner = new(keepBytes: 0);
        private int _thread;
        private int _rents;

        public override long Out => _inner.Out;

        public override long Misses => _inner.Misses;

        public override long KeptBytes => _inner.KeptBytes;

        public void Arm() => Volatile.Write(ref _thread, Environment.CurrentManagedThreadId);

        public void Disarm() => Volatile.Write(ref _thread, 0);

        public override Segment Rent(int atLeast)
        {
            if (Volatile.Read(ref _thread) == Environment.CurrentManagedThreadId && ++_rents % 3 == 0)
            {
#pragma warning disable MA0012 // What the runtime throws is what senders must stand.
                throw new OutOfMemoryException("The pool was told to fail.");
#pragma warning restore MA0012
            }

            return _inner.Rent(atLeast);
        }

        public override void Return(Segment segment) => _inner.Return(segment);

        public override void Trim() => _inner.Trim();
    }

    private static bool TrySend(SpillingSender sender, ref long next)
    {
        if (sender.TrySend(NumberPacket.Type, new NumberPacket(next, new byte[200])) != SendResult.Queued)
        {
            return false;
        }

        next++;
        return true;
    }
}
