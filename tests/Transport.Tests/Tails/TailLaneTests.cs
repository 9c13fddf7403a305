using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Links;
using Transport.Testing.Sending;

namespace Transport.Tests.Tails;

/// <summary>A lane's queue with its tail: byte by byte what is written is what was recorded, however a packet came to lie in
/// segments.</summary>
internal sealed class TailLaneTests
{
    [Test]
    public void A_forged_length_never_moves_the_head_past_the_last_record(
        [Values(64, 65, 95, 96, 97, 4_000, -1, long.MinValue, long.MaxValue)] long length)
    {
        using var rig = new TailRig();
        Assert.That(rig.Put(new byte[64]), Is.True);
        rig.Forge(TailLayout.RingOf(Lane.Normal, TailLayout.Least).Start + TailLayout.Length, length);
        rig.Tail.Written(1);
        byte[] bytes = rig.Bytes();
        long head = BitConverter.ToInt64(bytes, TailLayout.BlockOf(Lane.Normal) + TailLayout.Head);
        long end = BitConverter.ToInt64(bytes, TailLayout.BlockOf(Lane.Normal) + TailLayout.End);
        Assert.That(head, Is.EqualTo(length == 64 ? end : 0));
    }

    [Test]
    public void What_is_recorded_is_what_is_written([Values] bool tables)
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        var pool = new AccusingPool();
        using var rig = new TailRig(Lane.Bulk, 64 << 20);
        var queue = new LaneQueue(
            pool, Lane.Bulk, LanePolicy.Drop, new SendEnd(),
            new PacketTables(Lane.Bulk, new TableCaps(tables, tables, tables), 1 << 20, 16 << 20), rig.Tail);
        var written = new List<byte>();
        int reported = 0, counted = 0;
        for (int step = 0; step < 250; step++)   // some 10 MB: bulk has a quarter of the tail, and all of it must fit
        {
            if (random.Next(4) == 0)
            {
                queue.Drops.Add(PacketLevel.Information, 10);
            }

            string[] texts = [.. Enumerable.Range(0, random.Next(20) == 0 ? 600 : random.Next(4))
                .Select(_ => new string((char)('a' + random.Next(26)), random.Next(4, 250)) + random.Next(100))];
            var packet = new Words(texts, [[new("a", "b" + random.Next(9))]], new byte[random.Next(5) switch { 0 => random.Next(200_000),
                1 => random.Next(65_000, 66_000), 2 => random.Next(6_000), _ => random.Next(300) }]);
            random.NextBytes(packet.Padding);
            PacketType<Words> type = random.Next(2) == 0 ? Words.Type : Words.Application;
            queue.Frames.Begin(type.Id, 16 << 20, type.UsesTables);
            type.Formatter.Write(queue.Frames, packet);
            if (!queue.Frames.TryEnd(random.Next(10) == 0 ? Asks.InVain : Asks.Granted, out _))
            {
                continue;
            }

            for (int takes = random.Next(3); takes > 0 && queue.TryTake(out Segment? segment) && segment is not null; takes--)
            {
                Keep(segment);
            }
        }

        while (queue.TryTake(out Segment? segment) && segment is not null)
        {
            Keep(segment);
        }

        byte[] recorded = TailReader.Open(rig.Bytes(), out _)!.Continuation(Lane.Bulk, 0, out string problem);
        Assert.That(problem, Is.Empty);
        Assert.That(recorded.AsSpan().SequenceEqual(written.ToArray()), Is.True,
            $"seed {seed}: {recorded.Length} bytes recorded, {written.Count} written");
        Assert.That(TailReader.Open(rig.Bytes(), out _)!.Committed(Lane.Bulk, 0), Is.EqualTo(counted), $"seed {seed}");
        Assert.That(reported, Is.GreaterThan(10), "Dropped stood in front of packets");
        rig.Tail.Written(counted);
        Assert.That(TailReader.Open(rig.Bytes(), out _)!.Continuation(Lane.Bulk, 0, out _), Is.Empty, "all of it is free again");
        queue.Discard();

        pool.Judge($"seed {seed}");

        void Keep(Segment segment)
        {
            counted += segment.PacketsEnding;
            foreach (RawFrame frame in RawFrame.ParseAll(segment.Array.AsSpan(0, segment.Used).ToArray()))
            {
                if (frame.Lane == 0)
                {
                    reported++;
                    continue;
                }

                byte[] header = new byte[FrameHeader.Size];
                FrameHeader.Write(header, Lane.Bulk, frame.HasMore, (ushort)frame.Type, frame.Body.Length);
                written.AddRange(header);
                written.AddRange(frame.Body);
            }

            pool.Return(segment);
        }
    }
}
