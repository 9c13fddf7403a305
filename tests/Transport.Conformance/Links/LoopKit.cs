using System.Collections.Generic;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>What tests of loops do again and again.</summary>
internal static class LoopKit
{
    public static IAsyncEnumerator<(string Packet, PacketContext Context)> Loop(PacketRouter router, int capacity = 256) =>
        router.ReadAllWithContextAsync(TestPackets.Text, capacity).GetAsyncEnumerator();

    public static void Start(LinkRig rig, PacketRouter router)
    {
        rig.Main.Start(router);
        rig.Worker.Start(new PacketRouter());
    }

    public static async Task NextAsync(IAsyncEnumerator<(string Packet, PacketContext Context)> loop, string expected)
    {
        Assert.That(await loop.MoveNextAsync().AsTask().Within("a packet"), Is.True);
        Assert.That(loop.Current.Packet, Is.EqualTo(expected));
    }
}
