using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using MessagePack;
using MessagePack.Formatters;
using MessagePack.Resolvers;
using NUnit.Framework;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.MessagePackTests;

/// <summary>Types that cannot be packets, options that are not taken, bytes that are no such object: each by name.</summary>
internal sealed class BadInputTests
{
    private static readonly PacketType<Measured> Type = MessagePackPacket.Of<Measured>(1024);

    [Test]
    public void A_type_without_attributes_is_refused_at_once() => Refused<Unmarked>(
        "Packet Unmarked (1030): the resolver StandardResolver does not know Transport.MessagePackTests.Unmarked. Mark it "
            + "[MessagePackObject]");

    [Test]
    public void A_resolver_that_throws_is_named() => Refused<Measured>(
        "Packet Measured (1030): the resolver ThrowingResolver threw for System.Object: no licence",
        MessagePackSerializerOptions.Standard.WithResolver(new ThrowingResolver()));

    [TestCase(MessagePackCompression.Lz4Block)]
    [TestCase(MessagePackCompression.Lz4BlockArray)]
    public void Options_that_compress_are_refused(MessagePackCompression compression) => Refused<Measured>(
        $"Packet Measured (1030): the options compress ({compression})",
        MessagePackSerializerOptions.Standard.WithCompression(compression));

    [Test]
    public void A_typeless_resolver_is_refused_unless_it_is_asked_for()
    {
        IFormatterResolver[] typeless =
        [
            TypelessContractlessStandardResolver.Instance, TypelessObjectResolver.Instance,
            CompositeResolver.Create(TypelessObjectResolver.Instance, StandardResolver.Instance),
        ];
        foreach (IFormatterResolver resolver in typeless)
        {
            Refused<Measured>("is typeless", MessagePackSerializerOptions.Standard.WithResolver(resolver));
        }

        MessagePackSerializerOptions options = MessagePackSerializerOptions.Standard.WithResolver(typeless[2]);
        PacketType<Holder> type = MessagePackPacket.Of<Holder>(1030, options, allowTypeless: true);
        var sent = new Holder { Any = new Doubled { Value = 5 } };
        Assert.That(Bytes.Read(type, Bytes.Of(type, sent)).Any, Has.Property("Value").EqualTo(5));
    }

    /// <summary>The bytes that a typeless sender would write name a type; they make none here.</summary>
    [Test]
    public void A_body_that_names_a_type_makes_none()
    {
        MessagePackSerializerOptions options = MessagePackSerializerOptions.Standard.WithResolver(
            CompositeResolver.Create(TypelessObjectResolver.Instance, StandardResolver.Instance));
        byte[] body = Bytes.Of(
            MessagePackPacket.Of<Holder>(1030, options, allowTypeless: true), new Holder { Any = new Doubled { Value = 5 } });
        Malformed(MessagePackPacket.Of<Holder>(1030), body);
    }

    [Test]
    public void A_member_without_a_formatter_is_named_by_the_send_and_by_the_read()
    {
        PacketType<Careless> type = MessagePackPacket.Of<Careless>(1031);
        MessagePackSerializationException sending =
            Assert.Throws<MessagePackSerializationException>(() => Bytes.Of(type, new Careless { Member = new Unmarked() }))!;
        Assert.That(sending.Message, Does.StartWith("Packet Careless (1031) cannot be written: ").And.Contain("Unmarked"));
        MessagePackSerializationException reading =
            Assert.Throws<MessagePackSerializationException>(() => Bytes.Read(type, [0x91, 0x91, 0xc0]))!;
        Assert.That(reading.Message, Does.StartWith("Packet Careless (1031) cannot be read: ").And.Contain("Unmarked"));
    }

    [Test]
    public async Task A_send_that_throws_leaves_the_link_as_it_was()
    {
        PacketType<Careless> careless = MessagePackPacket.Of<Careless>(1031);
        var received = new TaskCompletionSource<Measured>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using LinkRig rig = await LinkRig.OpenAsync(WireKinds.Memory);
        rig.Main.Start(new PacketRouter().On(Type, (one, _) => received.TrySetResult(one)));
        rig.Worker.Start(new PacketRouter());
        Assert.Throws<MessagePackSerializationException>(() => _ = rig.Worker.TrySend(careless, new Careless { Member = new Unmarked() }));
        Assert.That(rig.Worker.TrySend(Type, new Measured { Name = "after" }), Is.EqualTo(SendResult.Queued));
        Assert.That((await received.Task.Within("the next packet")).Name, Is.EqualTo("after"));
    }

    [Test]
    public void A_nil_is_no_object() => Malformed(Type, [0xc0], "got nil");

    [Test]
    public void Bytes_that_end_early_or_go_on_are_malformed()
    {
        byte[] body = Bytes.Of(Type, new Measured { Name = "whole", Parts = ["x"] });
        for (int length = 0; length < body.Length; length++)
        {
            Malformed(Type, body.AsSpan(0, length).ToArray());
        }

        Malformed(Type, [.. body, 0xc0]);
        Malformed(Type, [0x92, 0xa1, 0x61, 0xa1, 0x62], "a value that it refuses");
    }

    [Test]
    public void Lengths_that_are_only_claimed_allocate_nothing()
    {
        byte[][] bombs =
        [
            [0xdd, 0x7f, 0xff, 0xff, 0xff],                                     // an array of 2^31 elements
            [0x91, 0xdb, 0x7f, 0xff, 0xff, 0xff],                               // a text of 2^31 bytes
            [0x96, 0xc0, 0x00, 0x00, 0x00, 0x00, 0xdd, 0x40, 0x00, 0x00, 0x00], // a list of 2^30 texts
            [0xc7, 0x05, 99, 0xd2, 0x7f, 0xff, 0xff, 0xff],                     // LZ4 in one block of 2^31 bytes
            [0x92, 0xc7, 0x05, 98, 0xd2, 0x7f, 0xff, 0xff, 0xff, 0xc4, 0x01, 0x00], // LZ4 in an array of blocks
        ];
        foreach (byte[] bomb in bombs)
        {
            Malformed(Type, bomb);
            Assert.That(Allocated(() => Malformed(Type, bomb)), Is.LessThan(64 << 10), Convert.ToBase64String(bomb));
        }
    }

    /// <summary>The counts of a table of two dimensions are numbers of the body, which no reader of MessagePack sees as a length.</summary>
    [Test]
    public void A_table_that_claims_more_cells_than_there_are_allocates_none()
    {
        PacketType<Holder> type = MessagePackPacket.Of<Holder>(1030);
        byte[] bomb = [0x92, 0xc0, 0x93, 0xce, 0x00, 0x00, 0x80, 0x00, 0xce, 0x00, 0x00, 0x80, 0x00, 0x90]; // 32,768 x 32,768: 4 GiB
        Malformed(type, bomb);
        Assert.That(Allocated(() => Malformed(type, bomb)), Is.LessThan(64 << 10));
    }

    [Test]
    public async Task A_body_nested_too_deep_ends_the_link_by_name_and_not_the_process()
    {
        PacketType<Nested> type = MessagePackPacket.Of<Nested>(1032);
        Assert.That(Depth(Bytes.Read(type, Bytes.Of(type, Deep(64)))), Is.EqualTo(64));
        Malformed(type, Bytes.Of(type, Deep(65)));
        Malformed(type, [.. Enumerable.Repeat((byte)0x91, 1_000_000), 0xc0]);

        var ended = new TaskCompletionSource<LinkEnd>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using LinkRig rig = await LinkRig.OpenAsync(WireKinds.Memory);
        rig.Main.Start(new PacketRouter().On(type, (_, _) => { }));
        rig.Worker.Start(new PacketRouter());
        Assert.That(rig.Worker.TrySend(type, Deep(100)), Is.EqualTo(SendResult.Queued));
        LinkEnd end = await rig.Main.Completion.Within("the end");
        Assert.That(end.Fault, Is.EqualTo(TransportFault.PacketMalformed), end.ToString());
    }

    /// <summary>Texts whose hashes collide make a map of n keys take n² steps, unless the reader's hashes have a secret.</summary>
    [TestCase(false)]
    [TestCase(true)]
    public void Keys_are_hashed_with_a_secret_whatever_the_options_say(bool own)
    {
        MessagePackSerializerOptions options =
            MessagePackSerializerOptions.Standard.WithSecurity(MessagePackSecurity.TrustedData.WithMaximumObjectGraphDepth(9));
        PacketType<Dictionary<long, int>> type = own ? MessagePackPacket.Of<Dictionary<long, int>>(1033, options, "Map")
            : MessagePackPacket.Of<Dictionary<long, int>>(1033, "Map");
        Dictionary<long, int> read = Bytes.Read(type, Bytes.Of(type, new() { [1] = 2 }));
        Assert.That(read.Comparer, Is.Not.SameAs(EqualityComparer<long>.Default));
        Assert.That(read[1], Is.EqualTo(2));
    }

    [Test]
    public void Numbers_lanes_and_names_are_checked_as_for_any_packet()
    {
        Assert.Throws<ArgumentOutOfRangeException>(() => MessagePackPacket.Of<Measured>(272));
        Assert.Throws<ArgumentOutOfRangeException>(() => MessagePackPacket.Of<Measured>(1024, lane: Lane.Control));
        Assert.Throws<ArgumentException>(() => MessagePackPacket.Of<Measured>(1024, name: string.Empty));
        Assert.Throws<ArgumentNullException>(() => MessagePackPacket.Of<Measured>(1024, options: null!));
    }

    private static void Refused<T>(string message, MessagePackSerializerOptions? options = null)
    {
        ArgumentException refused = Assert.Throws<ArgumentException>(
            () => _ = options is null ? MessagePackPacket.Of<T>(1030) : MessagePackPacket.Of<T>(1030, options))!;
        Assert.That(refused.Message, Does.Contain(message));
    }

    private static void Malformed<T>(PacketType<T> type, byte[] body, string message = "")
    {
        TransportException fault = Assert.Throws<TransportException>(() => Bytes.Read(type, body))!;
        Assert.That(fault.Fault, Is.EqualTo(TransportFault.PacketMalformed), fault.Message);
        Assert.That(fault.Message, Does.Contain(message));
    }

    private static long Allocated(Action action)
    {
#if NET
        long before = GC.GetAllocatedBytesForCurrentThread();
        action();
        return GC.GetAllocatedBytesForCurrentThread() - before;
#else
        // Mono counts no allocations of a thread: what is claimed here would not fit into its memory.
        action();
        return 0;
#endif
    }

    private static Nested Deep(int levels)
    {
        var outermost = new Nested();
        for (int i = 1; i < levels; i++)
        {
            outermost = new Nested { Inner = outermost };
        }

        return outermost;
    }

    private static int Depth(Nested? nested) => nested is null ? 0 : 1 + Depth(nested.Inner);

    private sealed class ThrowingResolver : IFormatterResolver
    {
        public IMessagePackFormatter<T>? GetFormatter<T>() => throw new InvalidOperationException("no licence");
    }
}
