using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;
using Transport.Testing.Wires;

namespace Transport.Conformance.Wires;

/// <summary>Recognizes a thread that is held up: what it counts has stood still for a while, after it had moved.</summary>
internal static class Stalled
{
    /// <summary>If nothing but the test's worth hangs on it: a thread that the machine holds up for so long, and not the wire, makes it
    /// show less.</summary>
    private const int StillForMs = 150;

    /// <summary>Where a thread that only waits for a processor must not be taken for one that is held up.</summary>
    private const int SurelyStillForMs = 1_000;

    private const int Looks = 20;

    /// <summary>Waits until a number has not changed for long: the wire's buffers are full. Seen in many looks: in one, the machine may
    /// have held up this thread, and what it looks at ran on.</summary>
    /// <param name="number">What moves while there is capacity.</param>
    /// <param name="isThere">What must be true besides, of what stands still; null: nothing.</param>
    public static Task StandsAsync(Func<long> number, Func<bool>? isThere = null) =>
        WireReading.OnThread(() => Look(number, long.MaxValue, isThere, SurelyStillForMs));

    /// <summary>As <see cref="Wait"/>, and sure of it.</summary>
    public static void WaitUntilSure(Func<int> count, int end) => Wait(count, end, SurelyStillForMs);

    /// <summary>Waits until the count stands still, or has come to its end. In many looks too.</summary>
    public static void Wait(Func<int> count, int end = int.MaxValue, int stillForMs = StillForMs) =>
        Look(() => count(), end, () => count() > 0, stillForMs);

    private static void Look(Func<long> number, long end, Func<bool>? isThere, int stillForMs)
    {
        var began = Stopwatch.StartNew();
        long last = number();
        for (int looks = 0; looks < Looks && last < end; looks++)
        {
            if (SpinWait.SpinUntil(() => number() != last, stillForMs / Looks) || isThere?.Invoke() == false)
            {
                (last, looks) = (number(), -1);
            }

            if (began.Elapsed > WithinExtensions.Bound)
            {
                throw new TimeoutException($"It never stood still: {number()}, there: {isThere?.Invoke()}.");
            }
        }
    }
}
