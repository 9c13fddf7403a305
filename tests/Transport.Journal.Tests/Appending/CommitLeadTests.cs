using System;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal.Tests.Disk;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Appending;

/// <summary>The lead is ended or passed on, once: a waiter for a leader that is gone would wait forever.</summary>
internal sealed class CommitLeadTests
{
    private readonly object _gate = new();
    private OpenedJournal _opened = null!;
    private CommitQueue _queue = null!;
    private CommitLeader _leader = null!;

    [SetUp]
    public void Open()
    {
        var disk = new SimulatedDisk(43);
        var options = new JournalOptions { Store = disk.Store(), SegmentBytes = 64 << 10, IdleMarkMilliseconds = 0 };
        _opened = Opening.Run(disk.Store(), options, "write");
        _queue = new CommitQueue(_gate, options, _opened.Writer, new CommitReporter(new AppendSourcePool(), "simulated"));
        _leader = new CommitLeader(_gate, options, _queue, _opened.Writer, new CommitTimes());
    }

    [TearDown]
    public void Close()
    {
        _leader.EndThreads();
        _opened.Writer.Dispose();
        _opened.Directory.Dispose();
    }

    [Test]
    public async Task Who_waits_for_a_leader_that_left_the_lead_behind_hears_of_it()
    {
        Task finish;
        using (Take())
        {
            ThreadWaiter? waiter;
            CommitLead none;
            lock (_gate)
            {
                _queue.Put(Numbered.Node, 1024, Numbered.Body(1), 1, AppendNote.Last, out _);
                waiter = _leader.Join(1, 1, out none);
            }

            Assert.That((waiter is not null, none.IsHeld), Is.EqualTo((true, false)));
            finish = Task.Run(() => _leader.Finish(1, 1, waiter, none));
        }

        JournalException? fault = await Assert.ThrowsAsync<JournalException>(() => finish.Within("the one who waits"));
        Assert.That(fault!.Message, Does.Contain("The lead was left by the thread that had it."));
        Assert.That((_queue.IsLed, _queue.HasFailed), Is.EqualTo((false, true)));
    }

    [Test]
    public void A_lead_that_was_passed_on_is_another_threads()
    {
        CommitLead first = Take();
        CommitLead second;
        lock (_gate)
        {
            second = first.Pass();
        }

        Assert.That((first.IsHeld, second.IsHeld), Is.EqualTo((false, true)));
        Assert.Throws<InvalidOperationException>(first.End);
        Assert.Throws<InvalidOperationException>(() => first.Pass());
        first.Dispose();
        Assert.That((_queue.IsLed, _queue.HasFailed), Is.EqualTo((true, false)), "leaving what one has no more changes nothing");
        lock (_gate)
        {
            second.End();
        }

        Assert.That((_queue.IsLed, second.IsHeld), Is.EqualTo((false, false)));
        Assert.Throws<InvalidOperationException>(second.End, "twice");
    }

    [Test]
    public void A_failure_of_a_thread_without_the_lead_leaves_it_to_who_has_it()
    {
        CommitLead lead = Take();
        _queue.Fail(new JournalException(JournalFault.SyncFailed, "another thread's sync"));
        Assert.That((_queue.IsLed, lead.IsHeld, _queue.HasFailed), Is.EqualTo((true, true, true)));
        Assert.That(_leader.Lead(lead, 0, 0), Is.Null, "it waits for no position");
        Assert.That(_queue.IsLed, Is.False);
    }

    /// <summary>A packet was taken each time the journal tried again, and the next one was refused anew.</summary>
    [Test]
    public void A_full_journal_stays_full_while_it_is_tried_again()
    {
        CommitLead lead = Take();
        lock (_gate)
        {
            _queue.Put(Numbered.Node, 1024, Numbered.Body(1), 1, AppendNote.Last, out _);
            Assert.That(_queue.IsFull, Is.False);
            _queue.TakeWork();
            _leader.Publish(new CommitRefused(new JournalException(JournalFault.JournalFull, "full")), 0, long.MaxValue, out _);
            lead.End();
            Assert.That(_queue.IsFull, Is.True);
            lead = _queue.TakeLead();
            _queue.TakeWork();
            Assert.That(_queue.IsFull, Is.True, "while it is tried again");
            _leader.Publish(new CommitRefused(new JournalException(JournalFault.JournalFull, "full")), 0, long.MaxValue, out _);
            lead.End();
        }
    }

    /// <summary>All of it was refused, so nothing waits that a packet would have to stand behind.</summary>
    [Test]
    public void A_journal_without_capacity_takes_a_packet_while_a_pause_is_marked()
    {
        CommitLead lead = Take();
        lock (_gate)
        {
            _leader.Publish(new CommitRefused(new JournalException(JournalFault.JournalFull, "full")), 0, long.MaxValue, out _);
            _queue.TakeWork();
            Assert.That((_queue.HasObstacle, _queue.IsFull), Is.EqualTo((true, false)));
            lead.End();
        }
    }

    private CommitLead Take()
    {
        lock (_gate)
        {
            return _queue.TakeLead();
        }
    }
}
