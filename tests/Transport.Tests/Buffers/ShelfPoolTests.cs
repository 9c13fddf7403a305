using System;
using NUnit.Framework;
using Transport.Testing.Buffers;

namespace Transport.Tests.Buffers;

internal sealed class ShelfPoolTests
{
    [TestCase(0, 4_096)]
    [TestCase(4_096, 4_096)]
    [TestCase(4_097, 8_192)]
    [TestCase(262_145, 524_288)]
    [TestCase(5_000_000, 8_388_608)]
    public void A_rent_gives_the_next_power_of_two(int atLeast, int capacity)
    {
        var pool = new ShelfPool(1 << 30);
        Segment segment = pool.Rent(atLeast);
        Assert.That((segment.Capacity, segment.Used, segment.State), Is.EqualTo((capacity, 0, SegmentState.Writing)));
        pool.Return(segment);
    }

    [Test]
    public void More_than_one_gibibyte_is_refused_and_nothing_is_out()
    {
        var pool = new ShelfPool(0);
        Assert.That(() => pool.Rent((1 << 30) + 1), Throws.InstanceOf<ArgumentOutOfRangeException>());
    }

    [Test]
    public void What_came_back_is_rented_again_and_counts_as_no_miss()
    {
        var pool = new ShelfPool(1 << 20);
        Segment first = pool.Rent(5_000);
        first.Used = 7;
        first.PacketsEnding = 3;
        Assert.That((pool.Out, pool.Misses, pool.KeptBytes), Is.EqualTo((1L, 1L, 0L)));
        pool.Return(first);
        Assert.That((pool.Out, pool.KeptBytes), Is.EqualTo((0L, 8_192L)));
        Segment again = pool.Rent(5_000);
        Assert.That(again, Is.SameAs(first));
        Assert.That((again.Used, again.PacketsEnding, pool.Misses), Is.EqualTo((0, 0, 1L)));
    }

    [Test]
    public void No_more_is_kept_than_the_limit()
    {
        var pool = new ShelfPool(20_000);
        Segment[] rented = [pool.Rent(8_192), pool.Rent(8_192), pool.Rent(8_192)];
        Array.ForEach(rented, pool.Return);
        Assert.That((pool.KeptBytes, pool.Out), Is.EqualTo((16_384L, 0L)));
    }

    [Test]
    public void A_second_return_throws_and_changes_nothing()
    {
        var pool = new ShelfPool(1 << 20);
        Segment segment = pool.Rent(1);
        pool.Return(segment);
        Assert.That(() => pool.Return(segment), Throws.InvalidOperationException.With.Message.Contains("twice"));
        Assert.That((pool.Out, pool.KeptBytes), Is.EqualTo((0L, 4_096L)));
    }

    [Test]
    public void A_trim_frees_what_nobody_needed_since_the_one_before()
    {
        var pool = new ShelfPool(64 << 20);
        Segment outlier = pool.Rent(8 << 20);
        Segment[] busy = [pool.Rent(1), pool.Rent(1)];
        pool.Return(outlier);
        Array.ForEach(busy, pool.Return);
        pool.Trim();
        long all = (8 << 20) + 8_192;
        Assert.That(pool.KeptBytes, Is.EqualTo(all), "all of it was needed a moment ago");
        pool.Return(pool.Rent(1));
        pool.Trim();
        Assert.That(pool.KeptBytes, Is.EqualTo(4_096), "one small segment was needed, the outlier and the other were not");
    }

    [Test]
    public void A_segment_knows_its_owner()
    {
        var pool = new ShelfPool(0);
        Segment segment = pool.Rent(1);
        Assert.That(() => segment.Pass(SegmentState.Sealed, SegmentState.InFlight),
            Throws.InvalidOperationException.With.Message.Contains("Writing"));
        segment.Pass(SegmentState.Writing, SegmentState.Sealed);
        segment.Pass(SegmentState.Sealed, SegmentState.InFlight);
        pool.Return(segment);
        Assert.That(segment.State, Is.EqualTo(SegmentState.Pooled));
    }

    [Test]
    public void The_accusing_pool_accuses()
    {
        var twice = new AccusingPool();
        Segment segment = twice.Rent(1);
        twice.Return(segment);
        Assert.That(() => twice.Return(segment), Throws.InvalidOperationException);
        Assert.That(() => twice.Judge("this"), Throws.InvalidOperationException.With.Message.Contains("twice"));

        var late = new AccusingPool();
        segment = late.Rent(1);
        late.Return(segment);
        segment.Array[17] = 1;
        Assert.That(() => late.Judge("this"), Throws.InvalidOperationException.With.Message.Contains("written to after"));

        var leaked = new AccusingPool();
        leaked.Rent(1);
        Assert.That(() => leaked.Judge("this", System.TimeSpan.Zero),
            Throws.InvalidOperationException.With.Message.Contains("1 segments are out"));
    }
}
