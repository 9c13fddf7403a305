using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using Transport.Generator.Tests.Fields;
using Transport.Generator.Tests.Kit;
using Transport.Generator.Tests.Shapes;

namespace Transport.Generator.Tests.Reading;

/// <summary>Whatever comes: the packet, or one exception that says where, what was expected and what came. Nothing is allocated for a
/// claim.</summary>
internal sealed partial class HostileTests
{
    private const int Rounds = 3_000;

    private static int Seed => Environment.GetEnvironmentVariable("TRANSPORT_SEED") is { } seed ? int.Parse(seed) : Environment.TickCount;

    private static IEnumerable<TestCaseData> Wrong =>
    [
        Case("9205c0", "Event.Name: at byte 2 of the body: expected a string, got nil (0xc0)."),
        Case("92a161a162", "Event.Id: at byte 1 of the body: expected an integer, got fixstr (0xa1)."),
        Case("9201a5", "Event.Name: at byte 2 of the body: expected fixstr of 6 bytes in all, got only 1 bytes."),
        Case("c0", "Event: at byte 0 of the body: expected an array, got nil (0xc0)."),
        Case("", "Event: at byte 0 of the body: expected an array, got the end of the body."),
        Case("9001", "Event: at byte 1 of the body: expected the end of the body, got 1 more bytes."),
        Case("9301a16193c0", "Event.Parts: at byte 4 of the body: expected fixarray with 3 values, each at least 1 byte, got only "
            + "1 bytes."),
        Case("9301a1619193a16101c3", "Event.Parts: Part.Size: at byte 9 of the body: expected a number, got true (0xc3).",
            "a Part's third field"),
        Case("9301a16192c092c0c0", "Event.Parts: Part: at byte 5 of the body: expected an array, got nil (0xc0)."),
        Case("9401a1619082a16101a16102", "Event.Map: at byte 9 of the body: expected keys that differ, got one that is there already."),
        Case("9501a1619080c40101", "Event.Id16: at byte 6 of the body: expected bin of 16 bytes (a GUID), got bin of 1."),
        Case("9601a1619080c410000000000000000000000000000000007b",
            "Event.Price: at byte 24 of the body: expected a decimal number as a string, got positive fixint (0x7b)."),
        Case("9701a1619080c41000000000000000000000000000000000a130ff",
            "Event.Small: at byte 26 of the body: expected an integer from 0 to 255, got -1."),
    ];

    [TestCaseSource(nameof(Wrong))]
    public void The_field_is_named(string body, string message)
    {
        TransportException thrown = Assert.Throws<TransportException>(() => Bytes.Read(Event.PacketType, Convert.FromHexString(body)))!;
        Assert.That(thrown.Fault, Is.EqualTo(TransportFault.PacketMalformed));
        Assert.That(thrown.Message, Does.StartWith(message));
    }

    [Test]
    public void A_value_that_the_type_refuses_is_malformed()
    {
        byte[] body = Bytes.Of(Loose.PacketType, new Loose(101));
        TransportException thrown = Assert.Throws<TransportException>(() => Bytes.Read(Strict.PacketType, body))!;
        Assert.That(thrown.Fault, Is.EqualTo(TransportFault.PacketMalformed));
        Assert.That(thrown.Message, Does.Contain("expected values that Strict takes").And.Contain("at most 100"));
    }

    [Test]
    public void Random_bytes_never_give_another_exception()
    {
        int seed = Seed;
        TestContext.Out.WriteLine($"TRANSPORT_SEED={seed}");
        var random = new Random(seed);
        byte[][] valid = [Bytes.Of(Event.PacketType, Sample()), Bytes.Of(Shapes.Collections.PacketType, new Shapes.Collections
        {
            Leaves = [new Leaf("x", default, new Leaf("y", default))], Deep = [[default]],
        })];
        UnionTests.Shape box = new UnionTests.RoundBox { Side = 1, Corner = 2 };
        valid =
        [
            .. valid,
            Bytes.Of(
                UnionTests.Drawing.PacketType,
                new UnionTests.Drawing(new UnionTests.Circle(5), box, [box], new() { ["k"] = box }, [null])),
        ];
        for (int round = 0; round < Rounds; round++)
        {
            byte[] body = [.. valid[round % valid.Length]];
            for (int i = random.Next(4); i >= 0; i--)
            {
                body[random.Next(body.Length)] = (byte)random.Next(256);
            }

            body = random.Next(3) == 0 ? body[..random.Next(body.Length)] : body;
            Action[] reads =
            [
                () => Bytes.Read(Event.PacketType, body),
                () => Bytes.Read(Shapes.Collections.PacketType, body),
                () => Bytes.Read(Nullables.PacketType, body),
                () => Bytes.Read(Forest.PacketType, body),
                () => Bytes.Read(UnionTests.Drawing.PacketType, body),
            ];
            foreach (Action read in reads)
            {
                bool wasRead = false;
                try
                {
                    read();
                    wasRead = true;
                    MessagePackValue.Check(body); // what a generated formatter takes is one whole value: the link does not look again
                }
                catch (TransportException thrown) when (thrown.Fault == TransportFault.PacketMalformed && !wasRead)
                {
                }
                catch (Exception other)
                {
                    Assert.Fail($"round {round} of seed {seed}: {Convert.ToHexString(body)}: {other}");
                }
            }
        }
    }

    [Test]
    public void A_claim_without_bytes_allocates_nothing()
    {
        // Arrays and maps of 2^31 elements, and of as many as there are bytes, of which the first is broken.
        byte[] padded = new byte[4 << 20];
        foreach (string head in new[] { "dd7fffffff", "dd003fff00" })
        {
            Convert.FromHexString("9f" + head + "c1").CopyTo(padded, 0);
            long before = GC.GetAllocatedBytesForCurrentThread();
            Assert.Throws<TransportException>(() => Bytes.Read(Shapes.Collections.PacketType, padded));
            Assert.That(GC.GetAllocatedBytesForCurrentThread() - before, Is.LessThan(100_000), head);
        }
    }

    [Test]
    public void A_tree_of_64_levels_travels_and_a_deeper_one_does_not()
    {
        // The packet and its list are two levels, each tree adds two: itself and its list.
        byte[] body = Bytes.Of(Forest.PacketType, new Forest([Chain(31)], null));
        Assert.That(Dump.Of(Bytes.Read(Forest.PacketType, body)), Is.EqualTo(Dump.Of(new Forest([Chain(31)], null))));
        TransportException thrown = Assert.Throws<TransportException>(() => Bytes.Of(Forest.PacketType, new Forest([Chain(32)], null)))!;
        Assert.That(thrown.Message, Does.Contain("nested at most 64 deep").And.Contain("hold itself"));
        Tree loop = new("loop", []);
        loop.Branches.Add(loop);
        Assert.Throws<TransportException>(() => Bytes.Of(Forest.PacketType, new Forest([loop], null)));
    }

    [TestCase(63)]
    [TestCase(64)]
    public void An_unknown_field_counts_to_the_depth_too(int levels)
    {
        // The packet is one level; what it does not know brings the others.
        byte[] body = [0x92, 0x07, .. Enumerable.Repeat((byte)0x91, levels - 1), 0x90];
        bool isValid = levels < 64;
        Assert.That(() => MessagePackValue.Check(body), isValid ? Throws.Nothing : Throws.TypeOf<TransportException>());
        Assert.That(() => Bytes.Read(Loose.PacketType, body), isValid ? Throws.Nothing
            : Throws.TypeOf<TransportException>().With.Message.Contains("nested at most 64 deep"));
    }

    [Test]
    public void A_body_nested_a_million_deep_is_refused_and_the_stack_holds()
    {
        byte[] body = new byte[3_000_000];
        for (int i = 0; i < body.Length - 3; i += 3)
        {
            (body[i], body[i + 1], body[i + 2]) = (0x92, 0xa0, 0x91);
        }

        body = [0x91, 0x91, .. body];
        TransportException thrown = Assert.Throws<TransportException>(() => Bytes.Read(Forest.PacketType, body))!;
        Assert.That(thrown.Message, Does.StartWith("Forest.Trees: Tree.Branches: ").And.Contain("nested at most 64 deep"));
    }

    private static Tree Chain(int length) => length == 1 ? new Tree("leaf", []) : new Tree("branch", [Chain(length - 1)]);

    private static Event Sample() => new(1, "a", [new Part("b", 2, 3.5)], new() { ["k"] = 4 }, Guid.Empty, 1.50m, 7);

    private static TestCaseData Case(string body, string message, string? name = null) =>
        new TestCaseData(body, message).SetName(name ?? message);

    [Packet(2200)]
    internal sealed partial record Event(
        int Id, string Name, List<Part> Parts, Dictionary<string, int> Map, Guid Id16, decimal Price, byte Small, int? Percent = null);

    [PacketObject]
    internal sealed partial record Part(string Name, int Count, double Size);

    [Packet(2201)]
    internal sealed partial record Loose(int Percent);

    [Packet(2202)]
    internal sealed partial class Strict
    {
        private readonly int _percent;

        public int Percent
        {
            get => _percent;
            init => _percent = value <= 100 ? value : throw new ArgumentOutOfRangeException(nameof(value), value, "at most 100");
        }
    }
}
