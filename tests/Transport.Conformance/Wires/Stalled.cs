using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;
using Transport.Testing.Wires;

namespace Transport.Conformance.Wires;

/// <summary>Recognizes a thread that is held up: what it counts has stood still for a while, after it had moved.</summary>
internal static class Stalled
{
    /// <summary>Where nothing but the test's worth hangs on it: a thread that the machine holds up for so long, and not the wire, makes it show less.</summary>
    private const int StillForMs = 150;

    /// <summary>Where a thread that only waits for a processor must not be taken for one that is held up.</summary>
    private const int SurelyStillForMs = 1_000;

    /// <summary>Waits until a number has not changed for long: the wire's buffers are full.</summary>
    public static Task StandsAsync(Func<long> number) => WireReading.OnThread(() =>
    {
        long last;
        do
        {
            last = number();
        }
        while (SpinWait.SpinUntil(() => number() != last, SurelyStillForMs));
    });

    /// <summary>As <see cref="Wait"/>, and sure of it.</summary>
    public static void WaitUntilSure(Func<int> count, int end) => Wait(count, end, SurelyStillForMs);

    /// <summary>Waits until the count stands still, or has come to its end.</summary>
    public static void Wait(Func<int> count, int end = int.MaxValue, int stillForMs = StillForMs)
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

                return now >= end || (now > 0 && still.ElapsedMilliseconds >= stillForMs);
            },
            WithinExtensions.Bound);
        if (!stalled)
        {
            throw new TimeoutException("The thread was never held up.");
        }
    }
}
