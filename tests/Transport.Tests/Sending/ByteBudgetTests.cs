using System;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;

namespace Transport.Tests.Sending;

internal sealed class ByteBudgetTests
{
    [Test]
    public void Bytes_are_taken_up_to_the_limit_and_given_back()
    {
        var budget = new ByteBudget(100);
        Assert.That(budget.TryTake(60, 100) && budget.TryTake(40, 100), Is.True);
        Assert.That((budget.CanAdmit(100), budget.TryTake(1, 100), budget.Used), Is.EqualTo((false, false, 100L)));
        budget.Give(60);
        Assert.That((budget.CanAdmit(100), budget.TryTake(61, 100), budget.TryTake(60, 100)), Is.EqualTo((true, false, true)));
    }

    [Test]
    public void An_empty_budget_takes_anything()
    {
        var budget = new ByteBudget(100);
        Assert.That(budget.TryTake(5_000_000, 100), Is.True);
        Assert.That((budget.CanAdmit(100), budget.TryTake(1, 100)), Is.EqualTo((false, false)));
        budget.Give(5_000_000);
        Assert.That(budget.Used, Is.Zero);
    }

    [Test]
    public void A_mark_below_the_limit_is_kept_unless_nothing_is_taken()
    {
        var budget = new ByteBudget(100);
        Assert.That(budget.TryTake(60, 50), Is.True, "an empty queue takes any packet");
        Assert.That((budget.CanAdmit(50), budget.TryTake(1, 50), budget.TryTake(1, 100)), Is.EqualTo((false, false, true)));
    }

    [TestCase(64 << 10, 8 << 10)]
    [TestCase(8 << 20, 256 << 10)]
    [TestCase(1 << 30, 256 << 10)]
    public void The_reserve_is_an_eighth_and_at_most_256_KiB(long limit, long reserve)
    {
        var budget = new ByteBudget(limit);
        Assert.That(budget.Reserve, Is.EqualTo(reserve));
        Assert.That((budget.TryTakeReserve(reserve + 1), budget.TryTakeReserve(reserve), budget.HasReserve, budget.TryTakeReserve(1)),
            Is.EqualTo((false, true, false, false)));
    }

    [Test]
    public void Urgent_bytes_go_back_to_the_reserve_first()
    {
        var budget = new ByteBudget(800);
        Assert.That(budget.TryTake(780, 800) && budget.TryTakeReserve(90), Is.True);
        Assert.That(budget.Used, Is.EqualTo(870));
        budget.GiveUrgent(60);
        Assert.That((budget.Used, budget.FitsReserve(70), budget.FitsReserve(71), budget.Fits(21)), Is.EqualTo((810L, true, false, false)));
        budget.GiveUrgent(60);
        Assert.That((budget.Used, budget.FitsReserve(100), budget.Fits(50), budget.Fits(51)), Is.EqualTo((750L, true, true, false)));
    }

    [Test]
    public async Task What_is_refused_is_never_counted()
    {
        // Refused takes must not show: two of them that saw each other would both wait although there is capacity.
        var budget = new ByteBudget(100);
        Assert.That(budget.TryTake(50, 100), Is.True);
        bool stop = false;
        Task refused = WireReading.OnThread(() =>
        {
            while (!Volatile.Read(ref stop))
            {
                if (budget.TryTake(1_000, 100))
                {
                    throw new InvalidOperationException("taken");
                }
            }
        });
        long most = 0;
        for (int i = 0; i < 2_000_000; i++)
        {
            most = Math.Max(most, budget.Used);
        }

        Volatile.Write(ref stop, true);
        await refused.Within("the other thread");
        Assert.That(most, Is.EqualTo(50));
    }
}
