using System;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;

namespace BuildHarness.Tests.Processes;

/// <summary>Waits for a condition of the world outside, with a bound.</summary>
internal static class Wait
{
    public static async Task UntilAsync(Func<bool> condition, string what, int seconds = 240)
    {
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(20));
        long end = Environment.TickCount64 + (seconds * 1000L);
        while (!condition())
        {
            Assert.That(Environment.TickCount64, Is.LessThan(end), $"waited {seconds} s until {what}");
            await look.WaitForNextTickAsync();
        }
    }
}
