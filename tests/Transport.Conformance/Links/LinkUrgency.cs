using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>A large packet never holds up a higher lane.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkUrgency(string wire)
{
    private const int Segment = 256 << 10;

    [Promise("Sending", "At most one segment of 256 KiB is written before an urgent packet.")]
    [Test]
    public async Task At_most_one_segment_of_a_bulk_packet_is_written_before_an_urgent_one()
    {
        Link? link = null;
        long bulk = 0;
        long? sentAt = null;
        int urgent = 0;
        var waits = new List<long>();
        void Watch(byte[] bytes)
        {
            if (link is null)
            {
                return;   // the handshake
            }

            foreach (RawFrame frame in RawFrame.ParseAll(bytes))
            {
                bulk += frame.Lane == 3 ? frame.Body.Length + 10 : 0;
                if (frame.Lane == 1)
                {
                    waits.Add(bulk - sentAt!.Value);
                    sentAt = null;
                }
            }

            // From inside the send loop, before the write: the worst moment to be queued.
            if (bulk > 0 && sentAt is null && urgent < 10)
            {
                sentAt = bulk - bytes.Length;
                urgent++;
                Assert.That(link.TrySend(TestPackets.Text, "now", Lane.Urgent), Is.EqualTo(SendResult.Queued));
            }
        }

        await using LinkRig rig = await LinkRig.OpenAsync(wire, fault: w => new HookedWire(w, Watch));
        var came = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        var order = new List<string>();
        rig.Main.Start(new PacketRouter()
            .On(TestPackets.Text, (_, _) => order.Add("urgent"))
            .On(TestPackets.Numbered, (n, _) =>
            {
                order.Add("bulk " + n.Payload.Length);
                came.TrySetResult(true);
            }));
        rig.Worker.Start(new PacketRouter());
        link = rig.Worker;
        Assert.That(rig.Worker.TrySend(TestPackets.Numbered, new Numbered(0, 0, new byte[5_000_000]), Lane.Bulk),
            Is.EqualTo(SendResult.Queued));
        await came.Task.Within("the bulk packet");
        await rig.Worker.CloseAsync().Within("the close");
        await rig.Main.Completion.Within("the other end");
        Assert.That(waits, Has.Count.EqualTo(10));
        Assert.That(waits.Max(), Is.LessThanOrEqualTo(2 * Segment), "bytes of bulk frames between an urgent Send and its write");
        Assert.That(order, Has.Count.EqualTo(11));
        Assert.That(order[order.Count - 1], Is.EqualTo("bulk 5000000"), "every urgent one overtook it");
    }
}
