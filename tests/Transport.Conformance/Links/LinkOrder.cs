using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Order and the ledger: what many producers send in all lanes, both ways at once.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkOrder(string wire)
{
    [TestCase(1)]
    [TestCase(2)]
    public Task Eight_producers_both_ways_arrive_in_order_and_the_ledger_is_exact(int seed) => RunAsync(seed, 120, 200_000, null, null);

    [Test]
    public Task So_over_a_wire_that_gives_one_byte_a_read() => RunAsync(3, 10, 900, w => new FaultyWire(w, FaultPlan.Dribble), null);

    [Test]
    public Task So_over_a_wire_whose_reads_stall()
    {
        FaultyWire? faulty = null;
        return RunAsync(4, 60, 100_000, w => faulty = new FaultyWire(w, new FaultPlan { StallReadAt = 50_001 }), async () =>
        {
            await faulty!.ReadStalled.Within("the stall");
            faulty.OpenReads();
        });
    }

    [Test]
    public Task So_over_a_wire_whose_writes_stall()
    {
        FaultyWire? faulty = null;
        return RunAsync(5, 60, 100_000, w => faulty = new FaultyWire(w, new FaultPlan { StallWriteAt = 70_003 }), async () =>
        {
            await faulty!.WriteStalled.Within("the stall");
            faulty.OpenWrites();
        });
    }

    private async Task RunAsync(
        int seed, int perProducer, int largest, Func<Transport.IWire, Transport.IWire>? fault, Func<Task>? meanwhile)
    {
        TestContext.Out.WriteLine($"seed {seed}");
        await using LinkRig rig = await LinkRig.OpenAsync(wire, o => o.MaxQueuedBytes = 1 << 20, o => o.MaxQueuedBytes = 1 << 20, fault);
        var up = new Traffic(seed, 8, perProducer, largest);
        var down = new Traffic(seed + 1000, 8, perProducer, largest);
        rig.Main.Start(up.Router());
        rig.Worker.Start(down.Router());
        Task sending = Task.WhenAll(up.SendAsync(rig.Worker), down.SendAsync(rig.Main));
        await (meanwhile?.Invoke() ?? Task.CompletedTask);
        await sending.Within("all sends");
        LinkEnd[] ends = await Task.WhenAll(rig.Worker.CloseAsync("done"), rig.Main.CloseAsync()).Within("both closes");
        long all = 8 * perProducer;
        using (Assert.EnterMultipleScope())
        {
            Assert.That(up.Wrong, Is.Empty);
            Assert.That(down.Wrong, Is.Empty);
            foreach (LinkEnd end in ends)
            {
                Assert.That(end.IsClean, Is.True, end.ToString());
                Assert.That(end.Receipt, Is.EqualTo(new LinkReceipt
                {
                    Sent = all, Acknowledged = all, Received = all, PeerSent = all, Flushed = all, Handled = all, Taken = all,
                    DroppedByLevel = end.Receipt.DroppedByLevel, PeerDroppedByLevel = end.Receipt.PeerDroppedByLevel,
                }));
                Assert.That(end.Receipt.DroppedByLevel, Is.Empty);
            }
        }
    }
}
