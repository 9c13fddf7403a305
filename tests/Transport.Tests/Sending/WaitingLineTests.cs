using System;
using NUnit.Framework;

namespace Transport.Tests.Sending;

internal sealed class WaitingLineTests
{
    private const long Limit = 80_000;
    private ByteBudget _budget = null!;
    private WaitingLine _line = null!;

    [SetUp]
    public void FillTheBudget()
    {
        _budget = new ByteBudget(Limit);
        _line = new WaitingLine(_budget);
        Assert.That(_budget.TryTake(Limit, Limit), Is.True);
    }

    [Test]
    public void The_first_in_line_gets_its_bytes_before_a_smaller_packet_behind_it()
    {
        Waiter large = _line.Enter(50_000, Lane.Normal);
        Waiter small = _line.Enter(100, Lane.Bulk);
        Give(40_000);
        Assert.That((large.Reserved, small.Reserved), Is.EqualTo((0L, 0L)), "what is given back adds up for the first");
        Give(20_000);
        Assert.That(large.Reserved, Is.AtLeast(50_000));
        Assert.That(small.Reserved, Is.AtLeast(100), "the next, of what is left");
        Assert.That(_line.HasWaiters, Is.False);
    }

    [Test]
    public void An_urgent_packet_larger_than_the_reserve_does_not_bar_the_reserve_to_smaller_ones_behind_it()
    {
        Waiter normal = _line.Enter(100, Lane.Normal);
        Waiter large = _line.Enter(_budget.Reserve + 1, Lane.Urgent);
        Waiter small = _line.Enter(100, Lane.Urgent);
        Assert.That((normal.Reserved, large.Reserved), Is.EqualTo((0L, 0L)));
        Assert.That(small.Reserved, Is.AtLeast(100), "it finds the reserve free");
        Give(Limit);
        Assert.That(normal.Reserved, Is.AtLeast(100));
        Assert.That(large.Reserved, Is.AtLeast(_budget.Reserve + 1), "its turn in the line");
    }

    [Test]
    public void A_packet_above_the_whole_budget_goes_when_nothing_is_taken()
    {
        Waiter huge = _line.Enter(10 * Limit, Lane.Normal);
        Give(Limit - 1);
        Assert.That(huge.Reserved, Is.Zero);
        Give(1);
        Assert.That(huge.Reserved, Is.AtLeast(10 * Limit));
    }

    [Test]
    public void A_place_that_was_left_serves_the_next_wait_and_keeps_no_signal()
    {
        Waiter first = _line.Enter(100, Lane.Normal);
        first.Signal();
        _line.Leave(first);
        Waiter second = _line.Enter(200, Lane.Bulk);
        Assert.That(second, Is.SameAs(first));
        Assert.That((second.Lane, second.Reserved, second.WaitAsync().IsCompleted), Is.EqualTo((Lane.Bulk, 0L, false)));
        _line.Leave(second);
    }

    [Test]
    public void Who_leaves_makes_way_for_the_next_and_gives_back_what_was_reserved([Values] bool reserved)
    {
        Waiter first = _line.Enter(60_000, Lane.Normal);
        Waiter second = _line.Enter(60_000, Lane.Normal);
        Give(reserved ? 70_000 : 60_000);
        Assert.That(first.Reserved > 0, Is.EqualTo(reserved));
        Give(reserved ? 0 : 5_000);
        _line.Leave(first);
        Assert.That(second.Reserved, Is.AtLeast(60_000));
        _line.Leave(second);
        Give(_budget.Used);
        Assert.That((_budget.Used, _line.HasWaiters), Is.EqualTo((0L, false)));
    }

    [Test]
    public void An_urgent_waiter_takes_of_the_reserve_though_a_large_packet_waits_before_it()
    {
        Waiter large = _line.Enter(Limit, Lane.Bulk);
        Waiter urgent = _line.Enter(_budget.Reserve, Lane.Urgent);
        Assert.That((large.Reserved, urgent.Reserved), Is.EqualTo((0L, _budget.Reserve)));
        Waiter next = _line.Enter(100, Lane.Urgent);
        Assert.That(next.Reserved, Is.Zero, "the reserve has an end");
        _line.Leave(urgent);
        Assert.That(next.Reserved, Is.AtLeast(100));
        Assert.That(large.Reserved, Is.Zero);
    }

    [Test]
    public void Who_needs_more_than_was_reserved_stays_the_first()
    {
        Waiter first = _line.Enter(1_000, Lane.Normal);
        Give(5_000);
        Assert.That(first.Reserved, Is.AtLeast(1_000));
        Waiter second = _line.Enter(40_000, Lane.Normal);
        _line.EnterAgain(first, 20_000);
        Assert.That(first.Reserved, Is.Zero);
        Give(20_000);
        Assert.That((first.Reserved >= 20_000, second.Reserved), Is.EqualTo((true, 0L)));
    }

    [Test]
    public void All_that_wait_are_woken_to_look_around()
    {
        Waiter first = _line.Enter(1, Lane.Normal), second = _line.Enter(1, Lane.Normal);
        var waiting = second.WaitAsync();
        _line.Release();
        Assert.That(waiting.IsCompleted, Is.True);
        first.Wait(TimeSpan.MaxValue);
        Assert.That(first.WaitAsync().IsCompleted, Is.False, "each wake is for one wait");
    }

    private void Give(long bytes)
    {
        _budget.Give(bytes);
        _line.Serve();
    }
}
