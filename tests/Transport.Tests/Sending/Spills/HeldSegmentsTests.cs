using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using Transport.Testing.Buffers;

namespace Transport.Tests.Sending.Spills;

/// <summary>What a lane that spills has written stays, within the budget, until it is acknowledged, and can be taken out whole when the link has ended.</summary>
internal sealed class HeldSegmentsTests
{
    private static readonly Guid Journal = new("00112233-4455-6677-8899-aabbccddeeff");

    private readonly ArrayWriter _head = new();
    private AccusingPool _pool = null!;
    private SendQueue _queue = null!;

    [SetUp]
    public void MakeQueue()
    {
        _pool = new AccusingPool();
        _queue = new SendQueue(_pool, 4 << 20, LanePolicy.Refuse, LanePolicy.Spill, LanePolicy.Refuse, new LinkCounters(), static _ => { });
    }

    [Test]
    public void The_budget_is_free_when_the_peer_has_acknowledged()
    {
        Send(1, 1000);
        Assert.That(_queue.QueuedBytes, Is.GreaterThan(1000));
        Write();
        Assert.That(_queue.QueuedBytes, Is.Zero, "nothing waits to be written");
        Assert.That(TrySend(2, (4 << 20) - 500), Is.EqualTo(SendResult.Full), "but what is not acknowledged takes its room");
        Assert.That(_queue.Acknowledged(1, Lane.Normal), Is.EqualTo(SpillNumber.At(1)));
        Assert.That(TrySend(2, (4 << 20) - 500), Is.EqualTo(SendResult.Queued));
    }

    [Test]
    public void An_Ack_that_comes_before_its_write_was_noted_counts()
    {
        var late = new List<SpillNumber>();
        _queue.AcknowledgedLate = (_, number) => late.Add(number);
        Send(1, 100);
        Segment segment = _queue.Take()!;
        Assert.That(_queue.Acknowledged(1, Lane.Normal), Is.Null);
        _queue.Written(segment, 1);
        Assert.That(late, Is.EqualTo(new[] { SpillNumber.At(1) }));
        Assert.That(_pool.Held, Is.Zero);
    }

    [Test]
    public void A_segment_in_which_an_unacknowledged_packet_begins_is_held()
    {
        Send(1, 600_000);   // goes through several segments
        Send(2, 100);
        _queue.Written(_queue.Take()!, 1);
        _ = _queue.TrySendRaw(1024, [1], Lane.Urgent, out _);
        Write();
        Assert.That(_queue.Acknowledged(1, Lane.Normal), Is.Null, "the first packet of the link is the urgent one");
        _queue.Break(null);
        Assert.That(Taken(), Is.EqualTo(new[] { (1L, 600_000), (2L, 100) }));
    }

    [Test]
    public void What_began_before_what_is_held_is_not_taken_out()
    {
        Send(1, 600_000);
        Send(2, 100);
        Write();
        Assert.That(_queue.Acknowledged(1, Lane.Normal)?.IsAny, Is.False, "1 ends in the segment that 2 is in");
        _queue.Break(null);
        Assert.That(Taken(), Is.EqualTo(new[] { (2L, 100) }));
    }

    [Test]
    public void At_the_end_everything_that_is_not_acknowledged_comes_out_in_order()
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var dice = new Random(seed);
        for (int round = 0; round < 300; round++)
        {
            MakeQueue();
            int packets = dice.Next(1, 60), told = 0;
            var written = new List<Lane>();   // of each packet of the link
            int[] sizes = [.. Enumerable.Range(0, packets).Select(_ => dice.Next(6) == 0 ? dice.Next(60_000, 300_000) : dice.Next(1, 3000))];
            int sent = 0;
            foreach (int size in sizes)
            {
                if (TrySend(sent + 1, size) != SendResult.Queued)
                {
                    break;
                }

                sent++;
                if (dice.Next(4) == 0)
                {
                    _ = _queue.TrySendRaw(1024, [1], Lane.Urgent, out _);
                }

                while (dice.Next(3) == 0 && _queue.Take() is { } segment)
                {
                    written.AddRange(Enumerable.Repeat((Lane)segment.Lane, segment.PacketsEnding));
                    _queue.Written(segment, 1);
                    if (dice.Next(2) == 0)
                    {
                        told = Math.Max(told, dice.Next(written.Count + 1));
                        _queue.Acknowledged(told, Lane.Normal);
                    }
                }
            }

            if (dice.Next(2) == 0 && _queue.Take() is { } failed)
            {
                _queue.GiveUp(failed);
            }

            _queue.Break(null);
            while (_queue.Take() is { } left)
            {
                _queue.GiveUp(left);
            }

            (long Number, int Size)[] taken = Taken();
            Assert.That(taken.Select(t => t.Size), Is.EqualTo(taken.Select(t => sizes[t.Number - 1])));
            long first = taken.Length > 0 ? taken[0].Number : sent + 1;
            Assert.That(first, Is.LessThanOrEqualTo(written.Take(told).Count(l => l == Lane.Normal) + 1), "nothing that is not acknowledged is missing");
            Assert.That(taken.Select(t => t.Number), Is.EqualTo(Enumerable.Range((int)first, sent - (int)first + 1).Select(n => (long)n)), $"{sent} sent, {told} acknowledged");
            _pool.Judge("sender");
        }
    }

    private (long Number, int Size)[] Taken()
    {
        var taken = new List<(long, int)>();
        while (_queue.Take() is { } left)
        {
            _queue.GiveUp(left);
        }

        _queue.TakeHeld(Lane.Normal, (type, packet) =>
        {
            Assert.That(type, Is.EqualTo(SpillPacket.Type));
            SpillPacket.Read(packet, out Guid journal, out SpillNumber number, out ushort inner, out int at, out int length);
            Assert.That((journal, inner, packet.Slice(at).Length), Is.EqualTo((Journal, (ushort)1025, length)));
            taken.Add((number.Position, length));
        });
        return [.. taken];
    }

    private void Send(long number, int size) => Assert.That(TrySend(number, size), Is.EqualTo(SendResult.Queued));

    private SendResult TrySend(long number, int size)
    {
        var bytes = new byte[SpillPacket.MostHead + size];
        int at = SpillPacket.PutHead(bytes, SpillPacket.MostHead, size, _head, Journal, SpillNumber.At(number), 1025);
        return _queue.TrySendRaw(SpillPacket.Type, bytes.AsSpan(at), Lane.Normal, out _);
    }

    private void Write()
    {
        while (_queue.Take() is { } segment)
        {
            _queue.Written(segment, 1);
        }
    }
}
