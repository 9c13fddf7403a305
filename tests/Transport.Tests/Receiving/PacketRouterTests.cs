using System;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Links;

namespace Transport.Tests.Receiving;

internal sealed class PacketRouterTests
{
    [TestCase((ushort)0)]
    [TestCase((ushort)255)]
    [TestCase((ushort)272)]
    [TestCase((ushort)274)]
    public void Types_that_are_not_for_callers_are_refused(ushort type)
    {
        Assert.That(
            () => new PacketRouter().OnRaw(type, _ => { }),
            Throws.InstanceOf<ArgumentOutOfRangeException>().With.Message.Contains($"{type}"));
    }

    [Test]
    public void A_type_has_one_handler()
    {
        PacketRouter router = new PacketRouter().On(TestPackets.Text, (_, _) => { })
            .OnRequest(TestPackets.Text, TestPackets.Text, (q, _) => System.Threading.Tasks.Task.FromResult(q));
        Assert.That(() => router.OnRaw(1025, _ => { }), Throws.ArgumentException);
        Assert.That(() => router.OnRequest(TestPackets.Text, TestPackets.Text, (q, _) => System.Threading.Tasks.Task.FromResult(q)),
            Throws.ArgumentException.With.Message.Contains("Text (1025)"));
    }

    [Test]
    public void A_frozen_router_takes_nothing()
    {
        var router = new PacketRouter();
        router.Freeze();
        Assert.That(() => router.On(TestPackets.Text, (_, _) => { }), Throws.InvalidOperationException);
        Assert.That(() => router.OnUnknown(_ => Task.CompletedTask), Throws.InvalidOperationException);
        Assert.That(router.IsFrozen, Is.True);
    }
}
