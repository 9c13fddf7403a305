using System;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Sending;
using Transport.Testing.Wires;

namespace Transport.Tests.Sending;

internal sealed class ByteBudgetTests
{
    [Test]
    public void BytesAreTakenUpToTheLimitAndGivenBack()
    {
        var budget = new ByteBudget(100);
        Assert.That(budget.TryTake(60) && budget.TryTake(40), Is.True);
        Assert.That((budget.HasRoom, budget.TryTake(1), budget.Used), Is.EqualTo((false, false, 100L)));
        budget.Give(60);
        Assert.That((budget.HasRoom, budget.TryTake(61), budget.TryTake(60)), Is.EqualTo((true, false, true)));
    }

    [Test]
    public void AnEmptyBudgetTakesAnything()
    {
        var budget = new ByteBudget(100);
        Assert.That(budget.TryTake(5_000_000), Is.True);
        Assert.That((budget.HasRoom, budget.TryTake(1)), Is.EqualTo((false, false)));
        budget.Give(5_000_000);
        Assert.That(budget.Used, Is.Zero);
    }

    [Test]
    public async Task WhatIsRefusedIsNeverCounted()
    {
        // Refused takes must not show: two of them that saw each other would both wait although there is room.
        var budget = new ByteBudget(100);
        Assert.That(budget.TryTake(50), Is.True);
        bool stop = false;
        Task refused = WireReading.OnThread(() =>
        {
            while (!Volatile.Read(ref stop))
            {
                if (budget.TryTake(1_000))
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
