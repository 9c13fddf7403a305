using System;
using System.Collections.Generic;
using System.Linq;
using NUnit.Framework;
using Transport.Generator.Tests.Fields;
using Transport.Generator.Tests.Kit;
using Transport.Generator.Tests.Shapes;

namespace Transport.Generator.Tests.Reading;

/// <summary>What is written comes back, for every type that can travel.</summary>
internal sealed class RoundTripTests
{
    private const int Rounds = 100;

    private static int Seed => Environment.GetEnvironmentVariable("TRANSPORT_SEED") is { } seed ? int.Parse(seed) : Environment.TickCount;

    [Test]
    public void Scalars_come_back() => Try(Scalars.PacketType, MakeScalars);

    [Test]
    public void Nullables_come_back() => Try(Nullables.PacketType, MakeNullables);

    [Test]
    public void Collections_come_back() => Try(Shapes.Collections.PacketType, MakeCollections);

    [Test]
    public void Structs_and_constructors_come_back()
    {
        Try(Placed.PacketType, dice => new Placed { @class = dice.Text(), First = (int)dice.Long(), Second = dice.Next(9) });
        Try(Built.PacketType, dice => new Built(dice.Text(), dice.Next(99))
        {
            Owner = dice.Text(), Group = dice.Text(), Mode = dice.Maybe(() => dice.Next(9)),
        });
        Try(Outer.Middle.Nothing.PacketType, _ => new Outer.Middle.Nothing());
        Try(Forest.PacketType, dice => new Forest(dice.List(() => MakeTree(dice, 4)), dice.MaybeRef(() => MakeTree(dice, 2))));
    }

    [Test]
    public void Unions_come_back()
    {
        Try(UnionTests.Drawing.PacketType, dice => new UnionTests.Drawing(
            MakeShape(dice),
            dice.MaybeRef(() => MakeShape(dice)),
            dice.List(() => MakeShape(dice)),
            dice.Map(dice.Text, () => dice.MaybeRef(() => MakeShape(dice))),
            [.. dice.Array(() => dice.MaybeRef(() => MakeShape(dice))).Distinct()],
            (dice.Next(9), MakeShape(dice))));
        Try(UnionTests.Wood.PacketType, dice => new UnionTests.Wood(MakeWood(dice, 30)));
    }

    [Test]
    public void The_packet_type_is_as_the_attribute_says()
    {
        PacketType<Scalars> type = Scalars.PacketType;
        Assert.That((type.Id, type.Name, type.Lane), Is.EqualTo(((ushort)2000, "scalars", Lane.Bulk)));
        Assert.That(type.Level!(MakeScalars(new Dice(1)) with { Int = 4 }), Is.EqualTo(PacketLevel.Error));
        PacketType<Nullables> plain = Nullables.PacketType;
        Assert.That((plain.Id, plain.Name, plain.Lane, plain.Level),
            Is.EqualTo(((ushort)2001, "Nullables", Lane.Normal, (Func<Nullables, PacketLevel>?)null)));
    }

    [Test]
    public void A_time_of_any_kind_comes_back_as_UTC_and_one_with_an_offset_keeps_it()
    {
        var local = new DateTime(2026, 3, 4, 5, 6, 7, DateTimeKind.Local);
        var unspecified = new DateTime(2026, 3, 4, 5, 6, 7, DateTimeKind.Unspecified);
        Nullables read = Bytes.Read(Nullables.PacketType, Bytes.Of(Nullables.PacketType, new Nullables
        {
            Time = local, Moment = new DateTimeOffset(unspecified, TimeSpan.FromHours(3)),
        }));
        Assert.That((read.Time, read.Time!.Value.Kind), Is.EqualTo((local.ToUniversalTime(), DateTimeKind.Utc)));
        Assert.That(read.Moment!.Value.EqualsExact(new DateTimeOffset(unspecified, TimeSpan.FromHours(3))), Is.True);
        read = Bytes.Read(Nullables.PacketType, Bytes.Of(Nullables.PacketType, new Nullables { Time = unspecified }));
        Assert.That(read.Time, Is.EqualTo(DateTime.SpecifyKind(unspecified, DateTimeKind.Utc)));
    }

    [Test]
    public void A_body_in_several_pieces_is_read_too()
    {
        Shapes.Collections packet = MakeCollections(new Dice(5));
        byte[] body = Bytes.Of(Shapes.Collections.PacketType, packet);
        var first = new Piece(body.AsMemory(0, body.Length / 2));
        Piece last = first.Then(body.AsMemory(body.Length / 2));
        Shapes.Collections read =
            Shapes.Collections.PacketType.Formatter.Read(new System.Buffers.ReadOnlySequence<byte>(first, 0, last, last.Memory.Length));
        Assert.That(Dump.Of(read), Is.EqualTo(Dump.Of(packet)));
    }

    private static void Try<T>(PacketType<T> type, Func<Dice, T> make)
    {
        int seed = Seed;
        TestContext.Out.WriteLine($"TRANSPORT_SEED={seed}");
        var dice = new Dice(seed);
        for (int round = 0; round < Rounds; round++)
        {
            T packet = make(dice);
            T read = Bytes.Read(type, Bytes.Of(type, packet));
            Assert.That(Dump.Of(read), Is.EqualTo(Dump.Of(packet)), $"round {round} of seed {seed}");
        }
    }

    private static Scalars MakeScalars(Dice dice) => new(
        dice.Flip(), (sbyte)dice.Long(), (byte)dice.Long(), (short)dice.Long(), (ushort)dice.Long(), (int)dice.Long(), (uint)dice.Long(),
            dice.Long(), (ulong)dice.Long(),
        dice.Float(), dice.Double(), dice.Decimal(), dice.Text(), dice.Blob(), dice.Blob(), dice.Time(), dice.Moment(),
            new TimeSpan(dice.Long()), dice.Guid(),
        (Small)dice.Next(256), (Wide)dice.Long(), (Huge)dice.Long());

    private static Nullables MakeNullables(Dice dice) => new()
    {
        Bool = dice.Maybe(dice.Flip),
        SByte = dice.Maybe(() => (sbyte)dice.Long()),
        Byte = dice.Maybe(() => (byte)dice.Long()),
        Short = dice.Maybe(() => (short)dice.Long()),
        UShort = dice.Maybe(() => (ushort)dice.Long()),
        Int = dice.Maybe(() => (int)dice.Long()),
        UInt = dice.Maybe(() => (uint)dice.Long()),
        Long = dice.Maybe(dice.Long),
        ULong = dice.Maybe(() => (ulong)dice.Long()),
        Float = dice.Maybe(dice.Float),
        Double = dice.Maybe(dice.Double),
        Decimal = dice.Maybe(dice.Decimal),
        Text = dice.MaybeRef(dice.Text),
        Bytes = dice.MaybeRef(dice.Blob),
        Memory = dice.Maybe<ReadOnlyMemory<byte>>(() => dice.Blob()),
        Time = dice.Maybe(dice.Time),
        Moment = dice.Maybe(dice.Moment),
        Span = dice.Maybe(() => new TimeSpan(dice.Long())),
        Guid = dice.Maybe(dice.Guid),
        Small = dice.Maybe(() => (Small)dice.Next(256)),
        Point = dice.Maybe(() => MakePoint(dice)),
        Leaf = dice.MaybeRef(() => MakeLeaf(dice)),
        Numbers = dice.MaybeRef(() => dice.Array(() => (int)dice.Long())),
        Texts = dice.MaybeRef(() => dice.List(() => dice.MaybeRef(dice.Text))),
        Map = dice.MaybeRef(() => dice.Map(dice.Text, () => dice.Maybe(() => (int)dice.Long()))),
    };

    private static Shapes.Collections MakeCollections(Dice dice) => new()
    {
        Array = dice.Array(() => (int)dice.Long()),
        List = dice.List(dice.Text),
        Items = dice.Flip() ? dice.Array(dice.Guid) : dice.List(dice.Guid),
        Mutable = dice.List(dice.Double),
        Map = dice.Map(dice.Text, dice.Long),
        ByEnum = dice.Flip() ? dice.Map(() => (Small)dice.Next(256), () => dice.MaybeRef(dice.Text))
            : new SortedDictionary<Small, string?> { [Small.One] = null },
        ByNumber = dice.Map(() => dice.Next(99), () => MakeLeaf(dice)),
        Pairs = [new("b", "1"), new("a", "2"), new("b", dice.Text())],
        PairList = [new(2, null), new(1, dice.Blob())],
        Jagged = dice.Array(() => dice.Array(() => dice.Next(300))),
        Holes = dice.Array(() => dice.MaybeRef(() => dice.Array(() => dice.MaybeRef(dice.Text)))),
        Deep = dice.List(() => dice.List(() => MakePoint(dice))),
        Lists = dice.Map(dice.Text, () => dice.List(() => dice.MaybeRef(() => MakeLeaf(dice)))),
        Leaves = dice.Array(() => MakeLeaf(dice)),
        Blobs = [dice.Blob(), []],
    };

    private static UnionTests.Shape MakeShape(Dice dice) => dice.Next(3) switch
    {
        0 => new UnionTests.Circle((int)dice.Long(), dice.Text()),
        1 => new UnionTests.Box { Side = dice.Next(300) },
        _ => new UnionTests.RoundBox { Side = (int)dice.Long(), Corner = dice.Next(9) },
    };

    private static UnionTests.Tree MakeWood(Dice dice, int depth) => depth > 0 && dice.Flip()
        ? new UnionTests.Node(MakeWood(dice, depth - 1), MakeWood(dice, depth - 1))
        : new UnionTests.Leaf(depth);

    private static Point MakePoint(Dice dice) => new((int)dice.Long(), dice.Next(5));

    private static Leaf MakeLeaf(Dice dice) => new(dice.Text(), MakePoint(dice), dice.Next(4) == 0 ? MakeLeaf(dice) : null);

    private static Tree MakeTree(Dice dice, int depth) =>
        new(dice.Text(), depth == 0 ? [] : dice.List(() => dice.Next(3) == 0 ? MakeTree(dice, depth - 1) : new Tree("", [])));

    private sealed class Piece : System.Buffers.ReadOnlySequenceSegment<byte>
    {
        public Piece(ReadOnlyMemory<byte> memory) => Memory = memory;

        public Piece Then(ReadOnlyMemory<byte> memory)
        {
            var next = new Piece(memory) { RunningIndex = RunningIndex + Memory.Length };
            Next = next;
            return next;
        }
    }
}
