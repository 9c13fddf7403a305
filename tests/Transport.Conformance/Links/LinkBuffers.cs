using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.IO;
using NUnit.Framework;
using Transport.Testing.Buffers;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Links on memory that the application gives (LinkOptions.Buffers). At night all of this suite runs so
/// (TRANSPORT_TEST_POOL).</summary>
[TestFixtureSource(typeof(WireKinds), nameof(WireKinds.All))]
internal sealed class LinkBuffers(string wire)
{
    [Test]
    public async Task Two_links_share_a_source_and_everything_comes_back()
    {
        RecyclableMemoryStreamManager manager = PoolKinds.NewManager();
        var source = new RecyclableBufferSource(manager);
        await using LinkRig rig = await LinkRig.OpenAsync(wire, main => Use(main, source), worker => Use(worker, source));
        var up = new Traffic(1, 4, 100, 400_000);
        var down = new Traffic(2, 4, 100, 400_000);
        rig.Main.Start(up.Router());
        rig.Worker.Start(down.Router());
        await Task.WhenAll(up.SendAsync(rig.Worker), down.SendAsync(rig.Main)).Within("all sends");
        Assert.That(manager.SmallPoolInUseSize, Is.GreaterThan(0), "what is read into");
        LinkEnd[] ends = await Task.WhenAll(rig.Worker.CloseAsync("done"), rig.Main.CloseAsync()).Within("both closes");
        Assert.That(ends.Select(end => end.IsClean), Is.All.True);
        Assert.That(up.Wrong.Concat(down.Wrong), Is.Empty);
        Assert.That((up.Received, down.Received), Is.EqualTo((400L, 400L)));
        Assert.That(() => manager.SmallPoolInUseSize + manager.LargePoolInUseSize, Is.Zero.After(10_000, 10), "rented and not given back");
        Assert.That(manager.SmallPoolFreeSize, Is.GreaterThan(0), "kept for the next");
    }

    [Test]
    public async Task What_a_source_throws_ends_the_send_and_not_the_link()
    {
        var source = new ScriptedSource();
        await using LinkRig rig = await LinkRig.OpenAsync(wire, worker: worker => Use(worker, source));
        var received = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Main.Start(new PacketRouter().On(TestPackets.Text, (text, _) => received.TrySetResult(text)));
        rig.Worker.Start(new PacketRouter());
        source.Next = _ => throw new InvalidOperationException("the budget is used up");
        Assert.That(
            () => _ = rig.Worker.TrySend(TestPackets.Text, "one"), Throws.InvalidOperationException.With.Message.Contains("budget"));
        source.Next = _ => new RentedBuffer(new byte[100]);
        Assert.That(() => _ = rig.Worker.TrySend(TestPackets.Text, "two"),
            Throws.InvalidOperationException.With.Message.Contains("was asked for 4096 bytes and gave 100 (LinkOptions.Buffers)"));
        source.Next = null;
        Assert.That(rig.Worker.TrySend(TestPackets.Text, "three"), Is.EqualTo(SendResult.Queued));
        Assert.That(await received.Task.Within("the packet"), Is.EqualTo("three"));
        Assert.That(rig.Worker.State(), Is.EqualTo(LinkState.Open));
    }

    [Test]
    public void A_manager_with_other_blocks_is_refused_by_name()
    {
        var manager = new RecyclableMemoryStreamManager(new RecyclableMemoryStreamManager.Options { BlockSize = 128 << 10 });
        Assert.That(() => new RecyclableBufferSource(manager), Throws.ArgumentException.With.Message.Contains(
            "blocks have 131072 bytes, and links need 262144: make it with new RecyclableMemoryStreamManager.Options { BlockSize ="));
        Assert.That(() => new RecyclableBufferSource(null!), Throws.ArgumentNullException);
    }

    private static void Use(LinkOptions options, IBufferSource source)
    {
        options.Pool = null;
        options.Buffers = source;
    }

    /// <summary>Gives arrays, or to the thread that says so what it says: the link's own threads rent too.</summary>
    private sealed class ScriptedSource : IBufferSource
    {
        private readonly ThreadLocal<Func<int, RentedBuffer>?> _next = new();

        public Func<int, RentedBuffer>? Next
        {
            set => _next.Value = value;
        }

        public RentedBuffer Rent(int atLeast) => _next.Value?.Invoke(atLeast) ?? new RentedBuffer(new byte[atLeast]);

        public void Return(RentedBuffer buffer)
        {
        }

        public void Trim()
        {
        }
    }
}
