using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Least level first, over a wire whose peer reads nothing.</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkLevels(string wire)
{
    private const int Budget = 4 << 20;
    private const int Size = 10_000;

    [Test]
    public async Task Each_level_fills_the_queue_up_to_its_share()
    {
        (RawPeer peer, Link main) = await RawPeer.OpenAsync(wire, o => (o.MaxQueuedBytes, o.NormalPolicy) = (Budget, LanePolicy.Drop));
        await using RawPeer rawPeer = peer;
        main.Start(new PacketRouter());
        int[] percent = [50, 60, 75, 90, 100, 100];
        long dropped = 0;
        for (int level = 0; level < percent.Length; level++)
        {
            long share = Budget / 100L * percent[level];
            long least = level < 5 ? share - (2 * Size) : 0;

            // The wire takes some at first: until it has, what is queued shrinks again.
            do
            {
                while (main.TrySend(TestPackets.Numbered, new Numbered(level, 0, new byte[Size])) == SendResult.Queued)
                {
                }

                dropped++;
                Assert.That(main.Counters.QueuedBytes, Is.LessThanOrEqualTo(share + 100), $"level {level}");
            }
            while (main.Counters.QueuedBytes < least);
        }

        LinkReceipt receipt = main.Receipt;
        Assert.That(receipt.Dropped, Is.EqualTo(dropped));
        Assert.That(receipt.DroppedByLevel.Keys, Is.EqualTo(Enumerable.Range(0, 6).Select(level => (PacketLevel)level)));
        main.Abort("done");
    }
}
