using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Fields;

/// <summary>Fields whose type is a union: one of several types, with a number before it.</summary>
internal sealed partial class UnionTests
{
    private const string Claim = "dd7fffffff";

    /// <summary>Gets packets as other implementations shall see them.</summary>
    public static IEnumerable<(byte[] Body, string Seen)> Samples =>
    [
        (
            Bytes.Of(Drawing.PacketType, new Drawing(new Circle(5), new Box { Side = 6 }, [new RoundBox { Side = 7, Corner = 8 }])),
            "[[int 0, [int 5, str 63]], [int 1, [int 6]], [[int 300, [int 7, int 8]]], nil, nil, [int 0, nil]]"),
        (
            Bytes.Of(Values.PacketType, new Values([new Number(-1), new Text("a")], new() { ["k"] = new Number(2), ["n"] = null })),
            "[[[int 3, [int -1]], [int 0, [str 61]]], {str 6b: [int 3, [int 2]], str 6e: nil}]"),
        (
            Bytes.Of(Wood.PacketType, new Wood(new Node(new Leaf(1), new Node(new Leaf(2), new Leaf(3))))),
            "[[int 0, [[int 1, [int 1]], [int 0, [[int 1, [int 2]], [int 1, [int 3]]]]]]]"),
    ];

    [Test]
    public void Each_case_comes_back_as_its_own_type()
    {
        foreach (Shape shape in new Shape[] { new Circle(5, "five"), new Box { Side = 6 }, new RoundBox { Side = 7, Corner = 8 } })
        {
            var sent = new Drawing(shape, shape, [shape, shape], new() { ["a"] = shape, ["b"] = null }, [shape, null], (9, shape));
            Drawing came = Bytes.Echo(Drawing.PacketType, sent);
            Assert.That((came.First, came.Second, came.Pair), Is.EqualTo((shape, shape, (9, shape))));
            Assert.That(came.All, Is.EqualTo(sent.All));
            Assert.That(came.Named, Is.EquivalentTo(sent.Named!));
            Assert.That(came.Some, Is.EquivalentTo(sent.Some!));
        }
    }

    [Test]
    public void An_interface_with_structs_comes_back()
    {
        var sent = new Values([new Number(-1), new Text("a")], new() { ["k"] = new Number(2), ["n"] = null });
        Values came = Bytes.Echo(Values.PacketType, sent);
        Assert.That(came.All, Is.EqualTo(sent.All));
        Assert.That(came.Map, Is.EquivalentTo(sent.Map));
    }

    [Test]
    public void They_have_the_form_of_the_page()
    {
        var sent = new Drawing(new Circle(5), new Box { Side = 6 }, [new RoundBox { Side = 7, Corner = 8 }]);
        Assert.That(
            Bytes.Hex(Drawing.PacketType, sent),
            Is.EqualTo("96" + "92009205a163" + "92019106" + "91" + "92cd012c920708" + "c0c0" + "9200c0"));
    }

    [Test]
    public void A_union_is_written_and_read_by_itself_too()
    {
        var type = new PacketType<Shape>(2569, "shape", new Shape.PacketFormatter());
        Assert.That(Bytes.Hex(type, new Circle(5)), Is.EqualTo("92009205a163"));
        Assert.That(Bytes.Echo<Shape>(type, new Box { Side = 6 }), Is.EqualTo(new Box { Side = 6 }));
        Assert.That(Bytes.Refusal(type, "920090" + "00"), Does.StartWith("At byte 3 of the body: expected the end of the body"));
        Assert.That(Bytes.Refusal(type, "920590"), Does.StartWith("At byte 1 of the body: expected the number of a case of Shape"));
    }

    [Test]
    public void A_class_derived_from_a_case_travels_as_that_case_and_any_other_does_not_travel()
    {
        Assert.That(Bytes.Echo(Drawing.PacketType, new Drawing(new OtherBox { Side = 6 })).First, Is.EqualTo(new Box { Side = 6 }));
        ArgumentException thrown = Assert.Throws<ArgumentException>(() => Bytes.Of(Drawing.PacketType, new Drawing(new Odd())))!;
        Assert.That(thrown.Message, Does.EndWith("+Odd is no case of the union Shape: give it a number there, by [PacketUnion]."));
    }

    [Test]
    public void A_reader_gives_what_a_packet_lacks_the_first_case()
    {
        Drawing came = Bytes.Read(Drawing.PacketType, [0x90]);
        Assert.That(came, Is.EqualTo(new Drawing(new Circle(0))));
        Assert.That(Bytes.Read(Wood.PacketType, [0x90]).Tree, Is.EqualTo(new Leaf(0)), "a Node needs two more of them");
        Assert.That(Bytes.Read(Sum.PacketType, [0x90]).Term, Is.EqualTo(new Negated(new Constant(0))), "an Operand ends");
    }

    [Test]
    public void Null_where_there_should_be_none_travels_as_the_first_case()
    {
        Assert.That(Bytes.Hex(Drawing.PacketType, new Drawing(null!)), Does.StartWith("96" + "920090"));
        Drawing came = Bytes.Echo(Drawing.PacketType, new Drawing(null!, null, [null!]));
        Assert.That((came.First, came.All!.Single()), Is.EqualTo(((Shape)new Circle(0), (Shape)new Circle(0))));
        Assert.That(Bytes.Echo(Values.PacketType, new Values([null!], [])).All, Is.EqualTo(new[] { new Text("") }));
        Assert.That(Bytes.Echo(Wood.PacketType, new Wood(null!)).Tree, Is.EqualTo(new Leaf(0)));
    }

    [Test]
    public void An_older_reader_gives_null_for_a_case_that_it_does_not_know()
    {
        var sent = new New(new Apple(1), new Pear("x"), [new Pear("y"), new Apple(2)], [new Pear("a"), new Pear("b")]);
        byte[] body = Bytes.Of(New.PacketType, sent);
        Old came = Bytes.Read(Old.PacketType, body);
        Assert.That((came.First, came.Second), Is.EqualTo(((IOldFruit)new Apple(1), (IOldFruit?)null)));
        Assert.That(came.All, Is.EqualTo(new IOldFruit?[] { null, new Apple(2) }));
        Assert.That(came.Some, Is.EqualTo(new IOldFruit?[] { null }), "all that it does not know are null to it");
        body = Bytes.Of(New.PacketType, new New(new Pear("x")));
        Assert.That(
            Bytes.Refusal(Old.PacketType, Bytes.Hex(body)),
            Does.StartWith("Old.First: at byte 2 of the body: expected the number of a case of IOldFruit, got 1, which is none here."));
    }

    [TestCase("91" + "930090" + "c0")]
    [TestCase("92" + "94009090c0" + "c0")]
    [TestCase("92" + "920090" + "9305" + "93c0a17891a179" + "07")]
    public void What_a_later_version_has_added_is_skipped(string body) =>
        Assert.That(Bytes.Read(Drawing.PacketType, Bytes.FromHex(body)), Is.EqualTo(new Drawing(new Circle(0))));

    [TestCase("91c0", "Drawing.First: at byte 1 of the body: expected an array, got nil (0xc0).")]
    [TestCase("9105", "Drawing.First: at byte 1 of the body: expected an array, got positive fixint (0x05).")]
    [TestCase("9180", "Drawing.First: at byte 1 of the body: expected an array")]
    [TestCase("9190", "Drawing.First: at byte 1 of the body: expected an array of at least 2 elements, got one of 0.")]
    [TestCase("919100", "Drawing.First: at byte 1 of the body: expected an array of at least 2 elements, got one of 1.")]
    [TestCase("9192", "Drawing.First: at byte 1 of the body: expected fixarray with 2 values")]
    [TestCase("91" + Claim, "Drawing.First: at byte 1 of the body: expected array 32 with 2147483647 values")]
    [TestCase("9192a13090", "Drawing.First: at byte 2 of the body: expected an integer, got fixstr (0xa1).")]
    [TestCase("9192c090", "Drawing.First: at byte 2 of the body: expected an integer, got nil (0xc0).")]
    [TestCase("9192ff90", "Drawing.First: at byte 2 of the body: expected an integer from 0 to 2147483647, got -1.")]
    [TestCase("9192ce8000000090", "Drawing.First: at byte 2 of the body: expected an integer from 0 to 2147483647, got 2147483648.")]
    [TestCase("9192cfffffffffffffffff90", "Drawing.First: at byte 2 of the body: expected an integer")]
    [TestCase("91920590", "Drawing.First: at byte 2 of the body: expected the number of a case of Shape, got 5, which is none here.")]
    [TestCase("919200c0", "Drawing.First: Circle: at byte 3 of the body: expected an array, got nil (0xc0).")]
    [TestCase("919200" + "9201c0", "Drawing.First: Circle.Name: at byte 5 of the body: expected a string, got nil (0xc0).")]
    [TestCase("9192019163", null)]
    [TestCase("91920191a163", "Drawing.First: Box.Side: at byte 4 of the body: expected an integer, got fixstr (0xa1).")]
    [TestCase("929200" + "90" + "9205", "Drawing.Second: at byte 4 of the body: expected fixarray with 2 values")]
    [TestCase("92920090" + "9205c1", "Drawing.Second: at byte 6 of the body: expected a value")]
    [TestCase("92920090" + "92ff90", "Drawing.Second: at byte 5 of the body: expected an integer from 0 to 2147483647, got -1.")]
    [TestCase("93920090c0" + "91c0", "Drawing.All: at byte 6 of the body: expected an array, got nil (0xc0).")]
    [TestCase("95920090c0c0c0" + "92920090920090", "Drawing.Some: at byte 11 of the body: expected values that differ")]
    [TestCase("95920090c0c0c0" + "92c0c0", null)]
    public void Another_shape_is_malformed(string body, string? message)
    {
        if (message is null)
        {
            Assert.That(Bytes.Read(Drawing.PacketType, Bytes.FromHex(body)), Is.Not.Null);
            return;
        }

        Assert.That(Bytes.Refusal(Drawing.PacketType, body), Does.StartWith(message));
    }

    [TestCase(31, true)]
    [TestCase(32, false)]
    [TestCase(200_000, false)]
    public void A_union_that_holds_itself_is_read_to_a_depth_of_64(int links, bool isValid)
    {
        // The packet is one level; each link adds two: the union and its case.
        byte[] body = [0x91, .. Enumerable.Repeat(new byte[] { 0x92, 0x00, 0x91 }, links).SelectMany(b => b), 0xc0];
        if (isValid)
        {
            Assert.That(Bytes.Hex(Rope.PacketType, Bytes.Read(Rope.PacketType, body)), Is.EqualTo(Bytes.Hex(body)));
            return;
        }

        TransportException thrown = Assert.Throws<TransportException>(() => Bytes.Read(Rope.PacketType, body))!;
        Assert.That(thrown.Message, Does.StartWith("Rope.Start: Knot.Next: Knot.Next: ").And.Contain("nested at most 64 deep"));
    }

    [TestCase(31, true)]
    [TestCase(32, false)]
    public void A_union_that_holds_itself_is_written_to_a_depth_of_64(int links, bool isValid)
    {
        Link? chain = null;
        for (int i = 0; i < links; i++)
        {
            chain = new Knot(chain);
        }

        var sent = new Rope(chain);
        if (isValid)
        {
            Assert.That(Bytes.Echo(Rope.PacketType, sent), Is.EqualTo(sent));
            return;
        }

        TransportException thrown = Assert.Throws<TransportException>(() => Bytes.Of(Rope.PacketType, sent))!;
        Assert.That(thrown.Message, Does.Contain("nested at most 64 deep").And.Contain("hold itself"));
    }

    [TestCase(61, true)]
    [TestCase(62, false)]
    public void A_case_that_is_not_known_counts_to_the_depth_too(int levels, bool isValid)
    {
        byte[] body = [0x91, 0x92, 0x63, .. Enumerable.Repeat((byte)0x91, levels), 0x90];
        if (isValid)
        {
            Assert.That(Bytes.Read(Rope.PacketType, body), Is.EqualTo(new Rope(null)));
            return;
        }

        Assert.That(Bytes.Refusal(Rope.PacketType, Bytes.Hex(body)), Does.Contain("nested at most 64 deep"));
    }

    [Test]
    public void A_tree_of_unions_comes_back()
    {
        var sent = new Wood(new Node(new Node(new Leaf(1), new Leaf(2)), new Leaf(3)));
        Assert.That(Bytes.Echo(Wood.PacketType, sent), Is.EqualTo(sent));
        var term = new Sum(new Negated(new Nested(new Negated(new Constant(4)))));
        Assert.That(Bytes.Echo(Sum.PacketType, term), Is.EqualTo(term));
    }

    [PacketUnion(0, typeof(Circle))]
    [PacketUnion(1, typeof(Box))]
    [PacketUnion(300, typeof(RoundBox))]
    internal abstract partial record Shape;

    [PacketObject]
    internal sealed partial record Circle(int Radius, string Name = "c") : Shape;

    [PacketObject]
    internal partial record Box : Shape
    {
        public virtual int Side { get; init; }
    }

    [PacketObject]
    internal sealed partial record RoundBox : Box
    {
        public override int Side { get; init; }

        public int Corner { get; init; }
    }

    internal sealed record OtherBox : Box;

    internal sealed record Odd : Shape;

    [Packet(2560)]
    internal sealed partial record Drawing(
        Shape First,
        Shape? Second = null,
        List<Shape>? All = null,
        Dictionary<string, Shape?>? Named = null,
        HashSet<Shape?>? Some = null,
        (int Number, Shape? Shape) Pair = default);

    [PacketUnion(3, typeof(Number))]
    [PacketUnion(0, typeof(Text))]
    internal partial interface IValue;

    [PacketObject]
    internal readonly partial record struct Number(int Value) : IValue;

    [PacketObject]
    internal sealed partial record Text(string Value) : IValue;

    [Packet(2561)]
    internal sealed partial record Values(List<IValue> All, Dictionary<string, IValue?> Map);

    [PacketUnion(0, typeof(Node))]
    [PacketUnion(1, typeof(Leaf))]
    internal abstract partial record Tree;

    [PacketObject]
    internal sealed partial record Node(Tree Left, Tree Right) : Tree;

    [PacketObject]
    internal sealed partial record Leaf(int Value) : Tree;

    [Packet(2562)]
    internal sealed partial record Wood(Tree Tree);

    /// <summary>Each of its cases needs an Operand, which may hold a Term.</summary>
    [PacketUnion(0, typeof(Negated))]
    internal abstract partial record Term;

    [PacketUnion(0, typeof(Nested))]
    [PacketUnion(1, typeof(Constant))]
    internal abstract partial record Operand;

    [PacketObject]
    internal sealed partial record Negated(Operand Of) : Term;

    [PacketObject]
    internal sealed partial record Nested(Term Of) : Operand;

    [PacketObject]
    internal sealed partial record Constant(int Value) : Operand;

    [Packet(2563)]
    internal sealed partial record Sum(Term Term);

    [PacketUnion(0, typeof(Knot))]
    internal abstract partial record Link;

    [PacketObject]
    internal sealed partial record Knot(Link? Next) : Link;

    [Packet(2564)]
    internal sealed partial record Rope(Link? Start);

    [PacketUnion(0, typeof(Apple))]
    internal partial interface IOldFruit;

    [PacketUnion(0, typeof(Apple)), PacketUnion(1, typeof(Pear))]
    internal partial interface INewFruit;

    [PacketObject]
    internal sealed partial record Apple(int Weight) : IOldFruit, INewFruit;

    [PacketObject]
    internal sealed partial record Pear(string Name) : INewFruit;

    [Packet(2565)]
    internal sealed partial record Old(
        IOldFruit First, IOldFruit? Second = null, List<IOldFruit?>? All = null, HashSet<IOldFruit?>? Some = null);

    [Packet(2566)]
    internal sealed partial record New(
        INewFruit First, INewFruit? Second = null, List<INewFruit>? All = null, HashSet<INewFruit>? Some = null);
}
