using System;
using System.Linq;
using System.Threading;
using NUnit.Framework;
using Transport.Spill;
using Transport.Testing.Wires;

namespace Transport.Journal.Tests.Spilling;

/// <summary>What a lane that spills knows to be noted as acknowledged; its numbers have three parts.</summary>
internal sealed class SpillNoteTests
{
    /// <summary>A note that is queued while the lane closes may overtake an earlier one.</summary>
    [Test]
    public void What_is_noted_never_goes_back_and_is_read_in_one_piece()
    {
        const int Each = 100_000;
        var noted = new Highest<(long A, long B, long C)>((10, 10, 10));
        noted.Raise((5, 5, 5));
        Assert.That(noted.Value, Is.EqualTo((10L, 10L, 10L)));
        int writing = 2;
        Thread[] writers = [.. Enumerable.Range(0, writing).Select(n => new Thread(() =>
        {
            for (long i = 1; i <= Each; i++)
            {
                long value = (2 * i) + n;
                noted.Raise((value, value, value));
            }

            Interlocked.Decrement(ref writing);
        }))];
        Array.ForEach(writers, w => w.Start());
        (long A, long B, long C) last = default;
        while (Volatile.Read(ref writing) > 0)
        {
            (long A, long B, long C) now = noted.Value;
            bool isRight = now.A == now.B && now.B == now.C && now.A.CompareTo(last.A) >= 0;
            if (!isRight)
            {
                Assert.Fail($"{now} after {last}");
            }

            last = now;
        }

        Assert.That(writers.All(w => w.Join(WithinExtensions.Bound)), Is.True);
        Assert.That(noted.Value.A, Is.EqualTo((2L * Each) + 1));
    }
}
