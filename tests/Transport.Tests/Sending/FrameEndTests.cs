using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Links;

namespace Transport.Tests.Sending;

/// <summary>A formatter asks for space and then writes nothing into it, or less, as serializers do: the packet's last frame is its last
/// all the same.</summary>
internal sealed class FrameEndTests
{
    private const int Most = FrameHeader.MaxBody;

    /// <summary>Sizes around the end of a frame, and capacities that are asked for at the end, each wasted.</summary>
    [Test]
    public void Capacity_that_is_asked_for_and_not_used_leaves_no_frame(
        [Values(1, 4_000, Most - 1, Most, Most + 1, (2 * Most) - 1, 2 * Most, 4 * Most, 300_000)] int size,
        [Values(new[] { 1 }, new[] { 1, 5_000, 65_000 }, new[] { 65_536 }, new[] { 65_537 }, new[] { 200_000, 1 })] int[] wasted,
        [Values] bool behindAnother)
    {
        var pool = new AccusingPool();
        var queue = new LaneQueue(pool, Lane.Bulk, LanePolicy.Refuse, new SendEnd());
        if (behindAnother)
        {
            Write(queue, new byte[100], []);
        }

        byte[] body = new byte[size];
        new Random(size).NextBytes(body);
        long bytes = Write(queue, body, wasted);
        Write(queue, new byte[10], []);
        var stream = new List<byte>();
        while (queue.TryTake(out Segment? segment) && segment is not null)
        {
            stream.AddRange(segment.Array.AsSpan(0, segment.Used).ToArray());
            pool.Return(segment);
        }

        List<RawFrame> frames = RawFrame.ParseAll([.. stream]);
        frames = frames.GetRange(behindAnother ? 1 : 0, frames.Count - (behindAnother ? 2 : 1));
        Assert.That(frames.SelectMany(f => f.Body), Is.EqualTo(body));
        Assert.That(frames.Select(f => f.HasMore), Is.EqualTo(Enumerable.Range(1, frames.Count).Select(n => n < frames.Count)),
            "MORE on all but the last");
        Assert.That(frames.Sum(f => 10L + f.Body.Length), Is.EqualTo(bytes), "what the budget is reported");
        Assert.That(size > Most || frames.Count == 1, Is.True, "what fits one frame travels as one");
        queue.Discard();

        pool.Judge($"{size} bytes");
    }

    private static long Write(LaneQueue queue, byte[] body, int[] wasted)
    {
        queue.Frames.Begin(1024, 16 << 20);
        for (int done = 0; done < body.Length;)
        {
            Span<byte> target = queue.Frames.GetSpan(1);
            int piece = Math.Min(target.Length, body.Length - done);
            body.AsSpan(done, piece).CopyTo(target);
            queue.Frames.Advance(piece);
            done += piece;
        }

        foreach (int hint in wasted)
        {
            Assert.That(queue.Frames.GetSpan(hint).Length, Is.GreaterThanOrEqualTo(hint));
            queue.Frames.Advance(0);
        }

        return queue.Frames.End(packets: 1);
    }
}
