using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Links;
using Transport.Testing.Sending;

namespace Transport.Tests.Sending;

internal sealed class FrameWriterTests
{
    private readonly AccusingPool _pool = new();
    private LaneSegments _segments = null!;
    private readonly DropLedger _drops = new(Lane.Normal);

    [Test]
    public void Small_packets_share_a_segment()
    {
        FrameWriter writer = Writer(Lane.Normal);
        for (int i = 0; i < 10; i++)
        {
            Assert.That(Write(writer, 1024, 20), Is.EqualTo(30));
        }

        Segment open = _segments.TakeOpen()!;
        Assert.That((open.Used, open.PacketsEnding, _segments.HasFull), Is.EqualTo((300, 10, false)));
        Assert.That(_segments.TakeOpen(), Is.Null);
        _pool.Return(open);
        _pool.Judge("test");
    }

    [Test]
    public void A_busy_lanes_segments_grow_to_256_KiB_and_a_quiet_ones_shrink()
    {
        FrameWriter writer = Writer(Lane.Normal);
        var capacities = new List<int>();
        for (int round = 0; round < 8; round++)
        {
            do
            {
                Write(writer, 1024, 100);
            }
            while (_segments.Open!.Used * 3 < _segments.Open.Capacity * 2);
            Segment open = _segments.TakeOpen()!;
            capacities.Add(open.Capacity);
            _pool.Return(open);
        }

        Assert.That(capacities, Is.EqualTo(new[] { 4, 8, 16, 32, 64, 128, 256, 256 }.Select(k => k << 10)));
        for (int round = 0; round < 8; round++)
        {
            Write(writer, 1024, 100);
            Segment open = _segments.TakeOpen()!;
            capacities.Add(open.Capacity);
            _pool.Return(open);
        }

        Assert.That(capacities[capacities.Count - 1], Is.EqualTo(4_096));
        _pool.Judge("test");
    }

    [Test]
    public void No_frame_crosses_a_segment_and_large_packets_are_cut_into_frames()
    {
        FrameWriter writer = Writer(Lane.Bulk);
        Write(writer, 1024, 3_000);
        long size = Write(writer, 1025, 1_000_000);
        List<Segment> all = TakeAll();
        List<RawFrame> frames = [.. all.SelectMany(s => RawFrame.ParseAll(s.Array.AsSpan(0, s.Used).ToArray()))];
        Assert.That(frames.Skip(1).Sum(f => f.Body.Length), Is.EqualTo(1_000_000));
        Assert.That(size, Is.EqualTo(1_000_000 + (10 * (frames.Count - 1))));
        Assert.That(frames.Skip(1).Select(f => f.HasMore),
            Is.EqualTo(Enumerable.Range(1, frames.Count - 1).Select(i => i < frames.Count - 1)));
        Assert.That(all.Sum(s => s.PacketsEnding), Is.EqualTo(2));
        Assert.That(all.Max(s => s.Capacity), Is.LessThanOrEqualTo(256 << 10));
        all.ForEach(_pool.Return);
        _pool.Judge("test");
    }

    [Test]
    public void A_rolled_back_packet_leaves_no_trace_whatever_its_size(
        [Values(1, 4_000, 70_000, 600_000)] int size, [Values(0, 3_900)] int before, [Values(0, 1, 100_000)] int hint)
    {
        FrameWriter writer = Writer(Lane.Normal);
        long used = before == 0 ? 0 : Write(writer, 1024, before);
        writer.Begin(1025, long.MaxValue);
        Fill(writer, size, hint);
        writer.Rollback();
        Assert.That(_segments.Open!.Used, Is.EqualTo(used));
        Assert.That(_segments.HasFull, Is.False);
        used += Write(writer, 1026, 50);
        Segment open = _segments.TakeOpen()!;
        Assert.That(RawFrame.ParseAll(open.Array.AsSpan(0, open.Used).ToArray()).Select(f => f.Type),
            Is.EqualTo(before == 0 ? new[] { 1026 } : [1024, 1026]));
        Assert.That(open.Used, Is.EqualTo(used));
        _pool.Return(open);
        _pool.Judge("test");
    }

    [Test]
    public void A_rolled_back_prefix_stays_away_and_a_committed_one_stands_directly_before_its_packet([Values(0, 3_950, 4_020)] int before,
        [Values(50, 5_000, 150_000)] int size)
    {
        FrameWriter writer = Writer(Lane.Normal);
        long bytes = before == 0 ? 0 : Write(writer, 1024, before);
        _drops.Add(PacketLevel.None, bytes: 5);
        foreach (bool commit in new[] { false, true })
        {
            writer.Begin(1025, long.MaxValue);
            Fill(writer, size, 0);
            if (commit)
            {
                bytes += writer.End(packets: 1);
            }
            else
            {
                writer.Rollback();
            }
        }

        List<Segment> all = TakeAll();
        List<RawFrame> frames = [.. all.SelectMany(s => RawFrame.ParseAll(s.Array.AsSpan(0, s.Used).ToArray()))];
        Assert.That(frames.Select(f => f.Type).Distinct(), Is.EqualTo(before == 0 ? new[] { 9, 1025 } : [1024, 9, 1025]));
        Assert.That(frames.Count(f => f.Type == 9), Is.EqualTo(1));
        Assert.That(_drops.HasUnreported, Is.False);
        Assert.That(all.Sum(s => (long)s.Used), Is.EqualTo(bytes), "what the budget is asked for is what is written");
        all.ForEach(_pool.Return);
        _pool.Judge("test");
    }

    [Test]
    public void A_packet_for_which_there_is_no_memory_leaves_no_trace_wherever_the_rent_fails(
        [Values(0, 3_900, 4_080)] int before, [Values(0, 1, 100_000)] int hint, [Values] bool prefixed)
    {
        bool hasFailed = true;
        for (int rent = 1; hasFailed; rent++)
        {
            FrameWriter writer = Writer(Lane.Normal);
            if (before > 0)
            {
                Write(writer, 1024, before);
            }

            if (prefixed)
            {
                _drops.Add(PacketLevel.None, bytes: 5);
            }

            _pool.FailingRent = rent;
            hasFailed = false;
            try
            {
                writer.Begin(1025, long.MaxValue);
                Fill(writer, 600_000, hint);
                Assert.That(writer.TryEnd(Asks.InVain, out _), Is.False);
            }
            catch (OutOfMemoryException)
            {
                hasFailed = true;
            }

            _pool.FailingRent = 0;
            writer.Rollback();
            Write(writer, 1026, 50);
            List<Segment> all = TakeAll();
            int[] first = before == 0 ? [] : [1024], dropped = prefixed ? [9] : [];
            Assert.That(all.SelectMany(s => RawFrame.ParseAll(s.Array.AsSpan(0, s.Used).ToArray())).Select(f => f.Type),
                Is.EqualTo(first.Concat(dropped).Append(1026)), $"rent {rent}");
            Assert.That(all.Sum(s => s.PacketsEnding), Is.EqualTo(before == 0 ? 1 : 2), $"rent {rent}");
            all.ForEach(_pool.Return);
            _pool.Judge("test");
        }
    }

    [Test]
    public void A_second_begin_and_a_buffer_kept_too_long_are_refused()
    {
        FrameWriter writer = Writer(Lane.Normal);
        writer.Begin(1024, 100);
        Assert.That(() => writer.Begin(1024, 100), Throws.InvalidOperationException);
        writer.GetSpan(1)[0] = 0xc0;
        writer.Advance(1);
        writer.End(packets: 1);
        Assert.That(() => writer.GetMemory(1), Throws.InvalidOperationException);
        Assert.That(() => writer.Advance(1), Throws.InstanceOf<ArgumentOutOfRangeException>());
        _pool.Return(_segments.TakeOpen()!);
        _pool.Judge("test");
    }

    private FrameWriter Writer(Lane lane)
    {
        _segments = new LaneSegments(_pool);
        return new FrameWriter(_pool, lane, _segments, _drops);
    }

    private List<Segment> TakeAll()
    {
        var all = new List<Segment>();
        while (_segments.TryTakeFull(out Segment? segment))
        {
            all.Add(segment!);
        }

        all.Add(_segments.TakeOpen()!);
        return all;
    }

    private long Write(FrameWriter writer, ushort type, int size)
    {
        writer.Begin(type, long.MaxValue);
        Fill(writer, size, 0);
        return writer.End(packets: 1);
    }

    private static void Fill(FrameWriter writer, int size, int hint)
    {
        while (size > 0)
        {
            int piece = Math.Min(size, writer.GetSpan(hint).Length);
            writer.Advance(piece);
            size -= piece;
        }
    }
}
