using System;
using System.Diagnostics;
using System.Threading.Tasks;
using NUnit.Framework;

namespace Transport.Testing;

/// <summary>Waits for a condition of the world outside, with a bound.</summary>
internal static class Wait
{
    /// <summary>Looks every 20 ms.</summary>
    /// <exception cref="AssertionException">The time is over.</exception>
    public static async Task UntilAsync(Func<bool> condition, string what, int seconds = 240)
    {
        var clock = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.That(clock.Elapsed.TotalSeconds, Is.LessThan(seconds), $"waited {seconds} s until {what}");
            await Task.Delay(20);
        }
    }
}
