using System;
using System.Buffers;
using System.Collections.Generic;
using NUnit.Framework;
using Transport.Generator.Tests.Fields;
using Transport.Generator.Tests.Shapes;

namespace Transport.Generator.Tests.Writing;

/// <summary>Writing allocates nothing, whatever the fields are; reading makes the packet and what it holds.</summary>
internal sealed partial class AllocationTests
{
    private const int Rounds = 1_000;

    [Test]
    public void Writing_allocates_nothing()
    {
        Zero(Nullables.PacketType, new Nullables
        {
            Int = 5,
            Decimal = 1.50m,
            Guid = Guid.Empty,
            Time = DateTime.UnixEpoch,
            Text = "é",
            Small = Small.One,
            Point = new Point(1, 2),
            Leaf = new Leaf("a", default),
            Numbers = [1],
            Texts = [null],
            Map = new() { ["k"] = 1 },
        });
        Zero(Shapes.Collections.PacketType, new Shapes.Collections
        {
            Array = [1, 2],
            Items = [Guid.Empty],
            Map = new() { ["a"] = 1 },
            ByEnum = new Dictionary<Small, string?> { [Small.One] = "x" },
            ByNumber = new Dictionary<int, Leaf> { [1] = new("a", default) },
            Pairs = [new("a", "b")],
            Jagged = [[1], [2]],
            Leaves = [new("a", default, new("b", default))],
        });
        UnionTests.Shape box = new UnionTests.RoundBox { Side = 1, Corner = 2 };
        var drawing = new UnionTests.Drawing(new UnionTests.Circle(5), box, [box], new() { ["k"] = null }, [box, null]);
        Zero(UnionTests.Drawing.PacketType, drawing);
        Zero(Numbers.PacketType, new Numbers(1, 2, 3.5, Small.One));
    }

    [Test]
    public void Reading_allocates_the_packet_alone()
    {
        byte[] body = Kit.Bytes.Of(Numbers.PacketType, new Numbers(1, 70_000, 3.5, Small.One));
        IPacketFormatter<Numbers> formatter = Numbers.PacketType.Formatter;
        long allocated = Measure(() => formatter.Read(new ReadOnlySequence<byte>(body)));
        long own = Measure(() => new Numbers(1, 2, 3.5, Small.One));
        Assert.That(allocated, Is.EqualTo(own));
    }

    private static void Zero<T>(PacketType<T> type, T packet)
    {
        var output = new ArrayBufferWriter<byte>(1 << 16);
        IPacketFormatter<T> formatter = type.Formatter;
        long allocated = Measure(() =>
        {
            output.ResetWrittenCount();
            formatter.Write(output, packet);
        });
        Assert.That(allocated, Is.Zero, type.Name);
    }

    /// <summary>Bytes that many rounds allocate, after as many to warm up.</summary>
    private static long Measure(Action action)
    {
        long before = 0;
        for (int i = -Rounds; i < Rounds; i++)
        {
            if (i == 0)
            {
                before = GC.GetAllocatedBytesForCurrentThread();
            }

            action();
        }

        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    [Packet(2400)]
    internal sealed partial record Numbers(int A, long B, double C, Small D);
}
