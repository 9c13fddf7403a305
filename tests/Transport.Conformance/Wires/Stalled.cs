using System;
using System.Diagnostics;
using System.Threading;

namespace Transport.Conformance.Wires;

/// <summary>Recognizes a thread that is held up: what it counts has stood still for a while, after it had moved.</summary>
internal static class Stalled
{
    private const int StillForMs = 150;

    /// <summary>Waits until the count stands still, or has come to its end.</summary>
    public static void Wait(Func<int> count, int end = int.MaxValue)
    {
        int last = 0;
        var still = Stopwatch.StartNew();
        bool stalled = SpinWait.SpinUntil(
            () =>
            {
                int now = count();
                if (now != last)
                {
                    last = now;
                    still.Restart();
                }

                return now >= end || (now > 0 && still.ElapsedMilliseconds >= StillForMs);
            },
            Testing.Wires.WithinExtensions.Bound);
        if (!stalled)
        {
            throw new TimeoutException("The thread was never held up.");
        }
    }
}
