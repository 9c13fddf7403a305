using System;
using System.Diagnostics;
using NUnit.Framework;

namespace Transport.Files.Tests.Outputs;

/// <summary>How many writers pay, on disks that are simulated by what a job takes and how many go on at once.</summary>
internal sealed class WriterScaleTests
{
    [TestCase(0.01, 2, 2, Description = "memory")]
    [TestCase(0.05, 2, 2, Description = "a local disk")]
    [TestCase(15, 64, 32, Description = "a disk over a network, many folders")]
    [TestCase(15, 3, 4, Description = "the same, one folder: 4 are faster than 2, 8 than 4 not")]
    [TestCase(15, 1, 2, Description = "a disk that does one thing at a time")]
    [TestCase(15, 12, 16, Description = "a server with 12 threads")]
    public void The_number_ends_where_more_gain_nothing(double milliseconds, int atOnce, int expected)
    {
        var scale = new WriterScale(null);
        int first = scale.Count;
        for (int job = 0; job < 4_000; job++)
        {
            // So many at once go on; the others wait for their turn, which is in their time too.
            int gain = Math.Min(scale.Count, atOnce);
            double took = milliseconds * scale.Count / gain;
            scale.Note(1, 2048, Ticks(took));
        }

        Assert.That(scale.Count, Is.EqualTo(Platform.IsWindows ? Math.Max(first, expected) : expected));
    }

    [Test]
    public void A_number_that_was_asked_for_stays([Values(1, 5, 64)] int wanted)
    {
        var scale = new WriterScale(wanted);
        for (int job = 0; job < 1_000; job++)
        {
            scale.Note(1, 0, Ticks(15));
        }

        Assert.That(scale.Count, Is.EqualTo(wanted));
    }

    [Test]
    public void Large_files_are_not_slow_because_they_are_large()
    {
        var scale = new WriterScale(null);
        int first = scale.Count;
        for (int job = 0; job < 1_000; job++)
        {
            scale.Note(1, 32 << 20, Ticks(8));   // 4 GB/s
        }

        Assert.That(scale.Count, Is.EqualTo(first));
    }

    private static long Ticks(double milliseconds) => (long)(milliseconds / 1000 * Stopwatch.Frequency);
}
