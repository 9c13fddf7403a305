using System;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Tests.Links;

internal sealed class LinkPairTests
{
    [Test]
    public async Task Packets_go_both_ways_and_disposing_closes_both_in_order()
    {
        LinkPair pair = await LinkPair.CreateAsync().Within("the handshake");
        var came = new TaskCompletionSource<(string Node, int Number)>(TaskCreationOptions.RunContinuationsAsynchronously);
        pair.Main.Start(new PacketRouter().On(NumberPacket.Type, (number, context) => came.TrySetResult((context.Node, number))));
        pair.Worker.Start(new PacketRouter().OnRequest(NumberPacket.Type, NumberPacket.Type, (number, _) => Task.FromResult(number + 1)));
        Assert.That(pair.Worker.TrySend(NumberPacket.Type, 7), Is.EqualTo(SendResult.Queued));
        Assert.That(await came.Task.Within("the packet"), Is.EqualTo(("n1", 7)));
        Assert.That(await pair.Main.RequestAsync(NumberPacket.Type, NumberPacket.Type, 41).Within("the response"), Is.EqualTo(42));
        await pair.DisposeAsync().AsTask().Within("the end");
        LinkEnd main = await pair.Main.Completion, worker = await pair.Worker.Completion;
        Assert.That((main.IsClean, worker.IsClean), Is.EqualTo((true, true)), $"{main}, {worker}");
    }

    [Test]
    public async Task The_workers_end_gives_its_name()
    {
        await using LinkPair pair = await LinkPair.CreateAsync(worker: new LinkOptions { Node = "compiler" });
        pair.Main.Start(new PacketRouter());
        pair.Worker.Start(new PacketRouter());
        Assert.That(pair.Main.Peer.Node, Is.EqualTo("compiler"));
    }

    [Test]
    public async Task Options_that_cannot_be_used_are_refused()
    {
        await Assert.ThrowsAsync<ArgumentException>(() => LinkPair.CreateAsync(worker: new LinkOptions { MaxPacketBytes = 1 }));
        await Assert.ThrowsAsync<ArgumentException>(() => LinkPair.CreateAsync(main: new LinkOptions { MaxPacketBytes = 1 }));
    }

    [Test]
    public void Nobody_listens_in_memory() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => LinkListener.Start(WireKind.Memory));
}
