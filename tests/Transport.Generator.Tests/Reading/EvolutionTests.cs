using System.Collections.Generic;
using NUnit.Framework;
using Transport.Generator.Tests.Kit;
using Transport.Generator.Tests.Shapes;

namespace Transport.Generator.Tests.Reading;

/// <summary>Fields are only ever added at the end: old and new understand each other.</summary>
internal sealed partial class EvolutionTests
{
    [Test]
    public void A_new_reader_gives_what_an_old_writer_lacks_its_default()
    {
        byte[] old = Bytes.Of(Old.PacketType, new Old(5, "five"));
        New read = Bytes.Read(New.PacketType, old);
        Assert.That(Dump.Of(read),
            Is.EqualTo(Dump.Of(new New(5, "five", string.Empty, null, [], [], [], new Leaf("", new Point(0, 0)), null, 42, null)
        {
            Added = "added", Kept = null,
        })));
        Assert.That(read.WithDefault, Is.EqualTo(42));
    }

    [Test]
    public void An_old_reader_skips_what_a_new_writer_has_added()
    {
        byte[] body = Bytes.Of(New.PacketType, new New(
            6, "six", "more", 1, [1, 2], [new Leaf("a", new Point(1, 2))], new() { ["k"] = [1] }, new Leaf("b", default), null, 7, "x"));
        Assert.That(Bytes.Read(Old.PacketType, body), Is.EqualTo(new Old(6, "six")));
    }

    [Test]
    public void Every_length_in_between_is_read([Range(0, 14)] int fields)
    {
        byte[] body = Bytes.Write((ref PacketWriter writer) =>
        {
            writer.WriteArrayHeader(fields);
            for (int i = 0; i < fields; i++)
            {
                switch (i)
                {
                    case 0 or 3 or 9:
                        writer.WriteInt(i);
                        break;
                    case 4 or 5 or 7:
                        writer.WriteArrayHeader(0);
                        break;
                    case 6:
                        writer.WriteMapHeader(0);
                        break;
                    case 8:
                        writer.WriteNil();
                        break;
                    default:
                        writer.WriteString($"f{i}");
                        break;
                }
            }
        });
        New read = Bytes.Read(New.PacketType, body);
        Assert.That(
            (read.Id, read.Name, read.Text, read.Number, read.WithDefault, read.Said, read.Added, read.Kept),
            Is.EqualTo((
                0,
                fields > 1 ? "f1" : string.Empty,
                fields > 2 ? "f2" : string.Empty,
                fields > 3 ? 3 : (int?)null,
                fields > 9 ? 9 : 42,
                fields > 10 ? "f10" : null,
                fields > 11 ? "f11" : "added",
                fields > 12 ? "f12" : null)));
        Assert.That(read.Tree, Is.EqualTo(new Leaf("", default)));
    }

    [Test]
    public void A_nested_value_grows_too()
    {
        byte[] body = Bytes.Of(HolderOfNew.PacketType, new HolderOfNew([new Point3(1, 2, 3), new Point3(4, 5, 6)]));
        Assert.That(Bytes.Read(HolderOfOld.PacketType, body).Points, Is.EqualTo(new[] { new Point(1, 2), new Point(4, 5) }));
        body = Bytes.Of(HolderOfOld.PacketType, new HolderOfOld([new Point(7, 8)]));
        Assert.That(Bytes.Read(HolderOfNew.PacketType, body).Points, Is.EqualTo(new[] { new Point3(7, 8, -1) }));
    }

    [Test]
    public void Null_where_there_should_be_none_travels_as_empty()
    {
        Shapes.Collections read = Bytes.Read(Shapes.Collections.PacketType, Bytes.Of(Shapes.Collections.PacketType, new Shapes.Collections
        {
            Array = null!, Map = null!, Pairs = null!, Leaves = [null!],
        }));
        Assert.That((read.Array.Length, read.Map.Count, read.Pairs.Count, read.Leaves[0].Name), Is.EqualTo((0, 0, 0, string.Empty)));
        Assert.That(Bytes.Read(Old.PacketType, Bytes.Of(Old.PacketType, new Old(1, null!))).Name, Is.Empty);
    }

    [Packet(2100)]
    internal sealed partial record Old(int Id, string Name);

    [Packet(2100 + 1)]
    internal sealed partial record New(
        int Id,
        string Name,
        string Text,
        int? Number,
        int[] Numbers,
        List<Leaf> Leaves,
        Dictionary<string, byte[]> Map,
        Leaf Tree,
        Leaf? Maybe,
        int WithDefault = 42,
        string? Said = null)
    {
        public string Added { get; init; } = "added";

        public string? Kept { get; init; }
    }

    [PacketObject]
    internal partial record struct Point3(int X, int Y, int Z = -1);

    [Packet(2102)]
    internal sealed partial record HolderOfOld(List<Point> Points);

    [Packet(2103)]
    internal sealed partial record HolderOfNew(Point3[] Points);
}
