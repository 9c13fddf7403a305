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
    public static Task UntilAsync(Func<bool> condition, string what, int seconds = 240) =>
        UntilAsync(condition, () => $"waited {seconds} s until {what}", seconds);

    /// <summary>Looks every 20 ms.</summary>
    /// <param name="condition">What is waited for.</param>
    /// <param name="state">Says how things stand if the time is over.</param>
    /// <param name="seconds">The time.</param>
    /// <exception cref="AssertionException">The time is over.</exception>
    public static async Task UntilAsync(Func<bool> condition, Func<string> state, int seconds = 240)
    {
        var clock = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.That(clock.Elapsed.TotalSeconds, Is.LessThan(seconds), state);
            await Task.Delay(20);
        }
    }
}
