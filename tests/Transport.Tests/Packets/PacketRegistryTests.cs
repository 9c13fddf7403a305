using System;
using System.Buffers;
using NUnit.Framework;

namespace Transport.Tests.Packets;

public sealed class PacketRegistryTests
{
    [Test]
    public void Packets_are_found_by_number_and_by_type()
    {
        var text = new PacketType<string>(1024, "Text", new NoFormatter<string>());
        var number = new PacketType<int>(65535, "Number", new NoFormatter<int>());
        PacketRegistry registry = new PacketRegistry().Add(text).Add(number);

        Assert.That(registry.Count, Is.EqualTo(2));
        Assert.That(registry.TryGet(1024, out PacketType? found), Is.True);
        Assert.That(found, Is.SameAs(text));
        Assert.That(registry.TryGet(1025, out _), Is.False);
        Assert.That(registry.Get<int>(), Is.SameAs(number));
        Assert.That(registry.NameOf(1024), Is.EqualTo("Text (1024)"));
        Assert.That(registry.NameOf(1234), Is.EqualTo("type 1234"));
    }

    [Test]
    public void A_taken_number_or_type_is_refused_and_both_are_named()
    {
        PacketRegistry registry = new PacketRegistry().Add(new PacketType<string>(1024, "Text", new NoFormatter<string>()));

        TransportException sameId = Assert.Throws<TransportException>(() => registry.Add(new PacketType<int>(1024, "Number", new NoFormatter<int>())))!;
        Assert.That(sameId.Fault, Is.EqualTo(TransportFault.BadOptions));
        Assert.That(sameId.Message, Does.Contain("Number (1024)").And.Contain("Text (1024)"));

        TransportException sameType = Assert.Throws<TransportException>(() => registry.Add(new PacketType<string>(1025, "Line", new NoFormatter<string>())))!;
        Assert.That(sameType.Fault, Is.EqualTo(TransportFault.BadOptions));
        Assert.That(sameType.Message, Does.Contain("Line (1025)").And.Contain("Text (1024)").And.Contain("System.String"));
        Assert.That(registry.Count, Is.EqualTo(1), "what was refused is not half in");
    }

    [Test]
    public void A_type_that_is_not_there_is_named()
    {
        TransportException e = Assert.Throws<TransportException>(() => new PacketRegistry().Get<Version>())!;
        Assert.That(e.Fault, Is.EqualTo(TransportFault.BadOptions));
        Assert.That(e.Message, Does.Contain("System.Version"));
    }

    [Test]
    public void Nothing_is_added_once_it_is_frozen()
    {
        PacketRegistry registry = new PacketRegistry().Add(new PacketType<string>(1024, "Text", new NoFormatter<string>()));
        registry.Freeze();
        registry.Freeze();
        Assert.That(registry.IsFrozen, Is.True);
        Assert.That(
            () => registry.Add(new PacketType<int>(1025, "Number", new NoFormatter<int>())),
            Throws.InvalidOperationException.With.Message.Contains("Number (1025)"));
        Assert.That(registry.Get<string>().Id, Is.EqualTo(1024));
    }

    [Test]
    public void A_packet_must_be_given() => Assert.That(() => new PacketRegistry().Add(null!), Throws.ArgumentNullException);

    private sealed class NoFormatter<T> : IPacketFormatter<T>
    {
        public void Write(IBufferWriter<byte> output, T packet) => throw new NotSupportedException();

        public T Read(in ReadOnlySequence<byte> body) => throw new NotSupportedException();
    }
}
