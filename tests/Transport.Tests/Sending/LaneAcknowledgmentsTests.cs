using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using NUnit.Framework;
using Transport.Logging;
using Transport.Testing.Buffers;
using Transport.Testing.Sending;

namespace Transport.Tests.Sending;

/// <summary>The wire counts acknowledged packets of all lanes together; who sends in one lane learns how many of its own they
/// are.</summary>
internal sealed class LaneAcknowledgmentsTests
{
    private readonly List<(Lane Lane, long Packets)> _reports = [];

    [SetUp]
    public void Forget() => _reports.Clear();

    [Test]
    public void An_Ack_is_divided_among_the_lanes_in_the_order_of_their_writes()
    {
        LaneAcknowledgments acknowledgments = New();
        acknowledgments.Written(Lane.Normal, 3);
        acknowledgments.Written(Lane.Normal, 2);
        acknowledgments.Written(Lane.Bulk, 4);
        acknowledgments.Written(Lane.Normal, 1);
        acknowledgments.Acknowledged(2);
        acknowledgments.Acknowledged(7);
        acknowledgments.Acknowledged(10);
        (Lane, long)[] expected = [(Lane.Normal, 2L), (Lane.Normal, 5L), (Lane.Bulk, 2L), (Lane.Bulk, 4L), (Lane.Normal, 6L)];
        Assert.That(_reports, Is.EqualTo(expected));
    }

    [Test]
    public void An_Ack_that_comes_before_its_write_was_noted_counts()
    {
        LaneAcknowledgments acknowledgments = New();
        acknowledgments.Written(Lane.Bulk, 1);
        acknowledgments.Acknowledged(4);
        Assert.That(_reports, Is.EqualTo(new[] { (Lane.Bulk, 1L) }), "what is not noted as written is of no lane yet");
        acknowledgments.Written(Lane.Normal, 2);
        acknowledgments.Written(Lane.Bulk, 3);
        acknowledgments.Acknowledged(5);
        Assert.That(_reports.Skip(1), Is.EqualTo(new[] { (Lane.Normal, 2L), (Lane.Bulk, 2L), (Lane.Bulk, 3L) }));
    }

    [Test]
    public void A_number_that_is_no_news_and_a_write_without_a_packets_end_report_nothing()
    {
        LaneAcknowledgments acknowledgments = New();
        acknowledgments.Written(Lane.Normal, 2);
        acknowledgments.Acknowledged(2);
        acknowledgments.Acknowledged(1);
        acknowledgments.Acknowledged(2);
        acknowledgments.Written(Lane.Bulk, 0);
        acknowledgments.Written(Lane.Control, 0);
        Assert.That(_reports, Is.EqualTo(new[] { (Lane.Normal, 2L) }));
    }

    /// <summary>Writes and Acks come from two threads, each Ack just before or just after its write.</summary>
    [Test]
    public void Whichever_thread_is_first_reports_rise_and_none_is_missing()
    {
        const int Writes = 100_000;
        var acknowledged = new long[4];
        bool isRising = true;
        var acknowledgments = new LaneAcknowledgments();
        acknowledgments.Subscribe((lane, packets) =>
        {
            isRising &= packets > acknowledged[(int)lane];
            acknowledged[(int)lane] = packets;
        });
        long begun = 0;
        var written = new long[4];
        var sending = new Thread(() =>
        {
            var dice = new Random(7);
            for (int i = 0; i < Writes; i++)
            {
                int lane = dice.Next(1, 4), packets = dice.Next(0, 4);
                written[lane] += packets;
                Interlocked.Add(ref begun, packets);   // on the wire, and not noted yet
                acknowledgments.Written((Lane)lane, packets);
            }
        });
        sending.Start();
        while (sending.IsAlive)
        {
            acknowledgments.Acknowledged(Interlocked.Read(ref begun));
        }

        acknowledgments.Acknowledged(Interlocked.Read(ref begun));
        Assert.That(isRising, Is.True);
        Assert.That(acknowledged, Is.EqualTo(written));
    }

    [Test]
    public void A_packets_ordinal_counts_what_others_send_in_its_lane_and_what_the_tables_add()
    {
        var pool = new AccusingPool();
        SendQueue queue = Queues.Make(
            pool, 4 << 20, tables: static lane => new PacketTables(lane, new TableCaps(true, true, true), 1 << 20, 16 << 20));
        var writes = new List<(Lane Lane, int Packets)>();
        Assert.That(Send(queue, Lane.Normal, 10), Is.EqualTo(1));
        Assert.That(Send(queue, Lane.Bulk, 10), Is.EqualTo(1), "each lane counts for itself");
        for (int i = 0; i < 20; i++)
        {
            var packet = new LogEvent
            {
                Time = default, Level = Microsoft.Extensions.Logging.LogLevel.Error, Category = "the same long category", Message = "m",
            };
            var body = new TypedBody<LogEvent>(LogEvent.PacketType, packet);
            Assert.That(queue.TrySend(body, Lane.Normal, LanePolicy.Refuse).Result, Is.EqualTo(SendResult.Queued));
        }

        long second = Send(queue, Lane.Normal, 600_000);   // goes through several segments
        long third = Send(queue, Lane.Normal, 10);
        Assert.That(second, Is.GreaterThan(22), "at least one packet of the tables");
        Assert.That(third, Is.EqualTo(second + 1));
        while (queue.Take() is { } segment)
        {
            writes.Add(((Lane)segment.Lane, segment.PacketsEnding));
            queue.Written(segment, 1);
        }

        Assert.That(writes.Where(w => w.Lane == Lane.Normal).Sum(w => w.Packets), Is.EqualTo(third), "as many are written");
        Assert.That(writes.Where(w => w.Lane == Lane.Bulk).Sum(w => w.Packets), Is.EqualTo(1));
    }

    [Test]
    public void A_packet_that_finds_no_capacity_has_no_ordinal_and_takes_none()
    {
        SendQueue queue = Queues.Make(new AccusingPool(), 64 << 10);
        Assert.That(Send(queue, Lane.Normal, 60_000), Is.EqualTo(1));
        SendOutcome none = queue.TrySend(new MemoryBody(1024, new byte[10_000]), Lane.Normal, LanePolicy.Refuse);
        Assert.That((none.Result, none.Ordinal), Is.EqualTo((SendResult.Full, 0L)));
        Assert.That(Send(queue, Lane.Normal, 10), Is.EqualTo(2));
        queue.Break(null);
        Assert.That(queue.Take(), Is.Null);
    }

    private static long Send(SendQueue queue, Lane lane, int length)
    {
        SendOutcome answer = queue.TrySend(new MemoryBody(1024, new byte[length]), lane, LanePolicy.Refuse);
        Assert.That(answer.Result, Is.EqualTo(SendResult.Queued));
        return answer.Ordinal;
    }

    private LaneAcknowledgments New()
    {
        var acknowledgments = new LaneAcknowledgments();
        acknowledgments.Subscribe((lane, packets) => _reports.Add((lane, packets)));
        return acknowledgments;
    }
}
