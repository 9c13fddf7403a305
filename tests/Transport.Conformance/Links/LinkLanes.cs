using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Many producers, each in all lanes, with packets of 50 B to 5 MB: order in each lane of each producer, every byte, and nothing
/// urgent behind what is large.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkLanes(string wire)
{
    private const int Producers = 8;
    private const int Large = 5_000_000;

    /// <summary>Some 60 MB in all, a few packets of 5 MB among them. Each segment takes two threads in turn, which is what a loaded machine
    /// is slow at.</summary>
    private const int PacketsEach = 150;

    [Promise("Sending", "Packets of a lane arrive once, in order, byte for byte, while both processes and the link live.")]
    [TestCase(11)]
    [TestCase(12)]
    public async Task Eight_producers_in_all_lanes_with_packets_up_to_5_MB_arrive_in_order(int seed)
    {
        TestContext.Out.WriteLine($"seed {seed}");
        byte[][] payloads = Payloads(seed);
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        long[] next = new long[Producers * 4];
        var wrong = new List<string>();
        int largest = 0;
        rig.Main.Start(new PacketRouter().On(TestPackets.Numbered, (packet, _) =>
        {
            largest = Math.Max(largest, packet.Payload.Length);
            if (packet.Number != next[packet.Sender]++)
            {
                wrong.Add($"producer {packet.Sender / 4}, lane {packet.Sender % 4}: {packet.Number} came as {next[packet.Sender] - 1}");
            }
            else if (!packet.Payload.AsSpan().SequenceEqual(Payload(payloads, packet.Sender, packet.Number)))
            {
                wrong.Add($"producer {packet.Sender / 4}, lane {packet.Sender % 4}, packet {packet.Number}: other bytes");
            }
        }));
        rig.Worker.Start(new PacketRouter());
        long[][] sent = await Task.WhenAll(Enumerable.Range(0, Producers).Select(p => ProduceAsync(rig.Worker, payloads, p, seed)))
            .WithinWhile(() => rig.Main.Counters.BytesReceived, "all sends");
        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        LinkEnd other = await rig.Main.Completion.Within("the other end");
        long all = sent.Sum(lanes => lanes.Sum());
        Assert.That(wrong, Is.Empty);
        Assert.That(largest, Is.EqualTo(Large), "a large one was among them");
        Assert.That(next, Is.EqualTo(sent.SelectMany(lanes => lanes)), "each lane of each producer to its end");
        Assert.That((end.IsClean, end.Receipt.Sent, end.Receipt.Acknowledged, other.Receipt.Received), Is.EqualTo((true, all, all, all)));
        Assert.That(end.Receipt.NoLossKnown, Is.True);
    }

    [Test]
    public async Task No_more_than_one_large_packet_is_handled_between_an_urgent_send_and_its_handler()
    {
        await using LinkRig rig = await LinkRig.OpenAsync(wire);
        const int Most = 2_000;
        long bulk = 0;
        long[] atSend = new long[Most];
        long[] atHandler = new long[Most];
        rig.Main.Start(new PacketRouter().On(TestPackets.Numbered, (packet, _) =>
        {
            if (packet.Sender == 1)
            {
                atHandler[packet.Number] = Volatile.Read(ref bulk);
            }
            else
            {
                Interlocked.Increment(ref bulk);
            }
        }));
        rig.Worker.Start(new PacketRouter());
        byte[] large = new byte[Large];
        int urgent = 0;
        int flooded = 0;
        Task flood = WireReading.OnThread(() =>
        {
            // Until there was something to overtake, however seldom the machine lets this test's thread run.
            for (; flooded < 20 || Volatile.Read(ref urgent) <= 20; flooded++)
            {
                Assert.That(rig.Worker.Send(TestPackets.Numbered, new Numbered(0, flooded, large), WithinExtensions.Bound, Lane.Bulk),
                    Is.EqualTo(SendResult.Queued));
            }
        });
        for (long sentBytes = 0; !flood.IsCompleted && urgent < Most; urgent++)
        {
            Assert.That(rig.Worker.TrySend(TestPackets.Numbered, new Numbered(1, urgent, [1]), Lane.Urgent), Is.EqualTo(SendResult.Queued));

            // Read after the send: a thread that was held up between the two would blame the link. What the link holds up shows all the
            // same.
            atSend[urgent] = Volatile.Read(ref bulk);
            SpinWait.SpinUntil(() => flood.IsCompleted || rig.Worker.Counters.BytesSent > sentBytes + 300_000, WithinExtensions.Bound);
            sentBytes = rig.Worker.Counters.BytesSent;
        }

        await flood.Within("the large packets");
        LinkEnd end = await rig.Worker.CloseAsync().Within("the close");
        Assert.That(end.Receipt.Acknowledged, Is.EqualTo(flooded + urgent));
        Assert.That(urgent, Is.GreaterThan(20), "there was something to overtake");
        Assert.That(Enumerable.Range(0, urgent).Max(i => atHandler[i] - atSend[i]), Is.LessThanOrEqualTo(1), "of 5 MB each");
    }

    private static byte[][] Payloads(int seed)
    {
        var dice = new Random(seed);
        return
        [
            .. Enumerable.Range(0, 16).Select(i => WireReading.Pattern(dice.Next(50, 2_000), i)),
            .. Enumerable.Range(0, 6).Select(i => WireReading.Pattern(dice.Next(2_000, 80_000), i)),
            WireReading.Pattern(dice.Next(80_000, 1_000_000), seed),
            WireReading.Pattern(Large, seed),
        ];
    }

    /// <summary>Large ones are for the bulk lane alone, and there one of a hundred.</summary>
    private static byte[] Payload(byte[][] payloads, int sender, long number)
    {
        int at = (int)(((sender * 7919) + (number * 104_729)) % 300);
        return (sender % 4) switch
        {
            (int)Lane.Urgent => payloads[at % 16],
            (int)Lane.Normal => payloads[at % 22],
            _ => at < 3 ? payloads[23] : at < 30 ? payloads[22] : payloads[at % 22],
        };
    }

    /// <returns>How many it sent in each lane.</returns>
    private static async Task<long[]> ProduceAsync(Link link, byte[][] payloads, int producer, int seed)
    {
        var dice = new Random(seed + producer);
        long[] sent = new long[4];
        await WireReading.OnThread(() =>
        {
            for (int i = 0; i < PacketsEach; i++)
            {
                int lane = dice.Next(1, 4);
                int sender = (producer * 4) + lane;
                var packet = new Numbered(sender, sent[lane], Payload(payloads, sender, sent[lane]));
                Assert.That(link.Send(TestPackets.Numbered, packet, WithinExtensions.Bound, (Lane)lane), Is.EqualTo(SendResult.Queued));
                sent[lane]++;
            }
        }).ConfigureAwait(false);
        return sent;
    }
}
