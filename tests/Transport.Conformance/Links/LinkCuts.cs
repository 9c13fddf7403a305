using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Conformance.Wires;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Wires that break or lie at some byte: each link ends by name, and every packet is accounted for.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkCuts(string wire)
{
    [Test]
    public async Task A_write_cut_at_any_byte_leaves_a_prefix_and_an_exact_receipt([Range(1, 6)] int seed)
    {
        long at = new Random(seed).Next(400, 400_000);
        TestContext.Out.WriteLine($"seed {seed}, cut at byte {at}");
        await using LinkRig rig = await LinkRig.OpenAsync(wire, fault: w => new FaultyWire(w, new FaultPlan { CutWriteAt = at }));
        var traffic = new Traffic(seed, 6, 100, 60_000);
        rig.Main.Start(traffic.Router());
        rig.Worker.Start(new PacketRouter());
        await traffic.SendAsync(rig.Worker).Within("all sends");
        LinkEnd worker = await rig.Worker.Completion.Within("the worker's end");
        LinkEnd main = await rig.Main.Completion.Within("the main node's end");
        using (Assert.EnterMultipleScope())
        {
            Assert.That(worker.Fault, Is.EqualTo(TransportFault.PeerGone), worker.ToString());
            Assert.That(main.Fault, Is.EqualTo(TransportFault.PeerGone), main.ToString());
            Assert.That(traffic.Wrong, Is.Empty, "a prefix of each lane, nothing twice");
            Assert.That(main.Receipt.Received, Is.EqualTo(traffic.Received));
            Assert.That(worker.Receipt.Sent + worker.Receipt.Dropped, Is.EqualTo(traffic.Queued), "every queued packet");
            Assert.That(traffic.Received, Is.GreaterThanOrEqualTo(worker.Receipt.Sent), "what was written was read to its end");
        }
    }

    [TestCase(false)]
    [TestCase(true)]
    public async Task A_read_cut_at_any_byte_is_peer_gone(bool throws)
    {
        for (int seed = 10; seed < 14; seed++)
        {
            long at = new Random(seed).Next(400, 200_000);
            TestContext.Out.WriteLine($"seed {seed}, cut at byte {at}");
            await using LinkRig rig = await LinkRig.OpenAsync(wire, fault: w => new FaultyWire(w, new FaultPlan
            {
                CutReadAt = at, CutReadThrows = throws,
            }));
            var traffic = new Traffic(seed, 6, 100, 60_000);
            rig.Worker.Start(traffic.Router());
            rig.Main.Start(new PacketRouter());
            await traffic.SendAsync(rig.Main).Within("all sends");
            LinkEnd worker = await rig.Worker.Completion.Within("the worker's end");
            LinkEnd main = await rig.Main.Completion.Within("the main node's end");
            Assert.That(worker.Fault, Is.EqualTo(TransportFault.PeerGone), worker.ToString());
            Assert.That(main.Fault, Is.EqualTo(TransportFault.PeerGone), main.ToString());
            Assert.That(traffic.Wrong, Is.Empty);
            Assert.That(main.Receipt.Sent + main.Receipt.Dropped, Is.EqualTo(traffic.Queued));
        }
    }

    [Test]
    public async Task A_flipped_bit_ends_both_sides_by_name_or_changes_a_payload([Range(1, 8)] int seed)
    {
        var random = new Random(seed);
        long at = random.Next(400, 30_000);
        byte mask = (byte)(1 << random.Next(8));
        TestContext.Out.WriteLine($"seed {seed}, byte {at}, mask {mask:x2}");
        await using LinkRig rig = await LinkRig.OpenAsync(wire, fault: w => new FaultyWire(w, new FaultPlan
        {
            FlipWriteAt = at, FlipMask = mask,
        }));
        var traffic = new Traffic(seed, 4, 40, 3_000);
        rig.Main.Start(traffic.Router());
        rig.Worker.Start(new PacketRouter());
        await traffic.SendAsync(rig.Worker).Within("all sends");
        Task<LinkEnd> closing = rig.Worker.CloseAsync();

        // A length that grew makes the main node wait for bytes that never come: then both stand still.
        await Task.WhenAny(closing, Stalled.StandsAsync(() => rig.Main.Counters.BytesReceived + rig.Worker.Counters.BytesReceived, () =>
            closing.IsCompleted || (rig.Main.Reading.IsWaiting && rig.Worker.Reading.IsWaiting)));
        if (!closing.IsCompleted)
        {
            rig.Worker.Abort("it waits forever");
        }

        LinkEnd worker = await closing.Within("the worker's end");
        LinkEnd main = await rig.Main.Completion.Within("the main node's end");
        TestContext.Out.WriteLine($"main: {main}; worker: {worker}");
        TransportFault[] named = [TransportFault.FrameCorrupt, TransportFault.PacketMalformed, TransportFault.PacketTooLarge,
            TransportFault.PeerGone, TransportFault.Timeout];
        bool unknown = rig.Main.Counters.UnknownPackets > 0;
        Assert.That(named.Contains(main.Fault) || traffic.Wrong.Count > 0 || unknown, Is.True, "the flip shows");
        Assert.That(main.IsClean || named.Contains(main.Fault), Is.True, main.ToString());
        Assert.That(main.Cause, Is.Null.Or.InstanceOf<TransportException>().Or.InstanceOf<IOException>());
        Assert.That(worker.IsClean, Is.EqualTo(main.IsClean));
    }
}
