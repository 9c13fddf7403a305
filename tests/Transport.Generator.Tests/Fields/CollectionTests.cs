using System;
using System.Collections;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using NUnit.Framework;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Fields;

/// <summary>Sets, immutable collections and tuples.</summary>
internal sealed partial class CollectionTests
{
    private const string Claim = "dd7fffffff";

    /// <summary>Gets packets as Python shall see them.</summary>
    public static IEnumerable<(byte[] Body, string Seen)> Samples =>
    [
        (
            Bytes.Of(Immutables.PacketType, new Immutables([1, 2], ["a"], ImmutableDictionary<string, int>.Empty.Add("k", 3), [[], [1]])),
            "[[int 1, int 2], [str 61], {str 6b: int 3}, [[], [int 1]], nil]"),
        (
            Bytes.Of(Tuples.PacketType, new Tuples((1, "a"), [(2, null)], new ValueTuple<int>(3), (1, 2, 3, 4, 5, 6, 7), null)),
            "[[int 1, str 61], [[int 2, nil]], [int 3], [int 1, int 2, int 3, int 4, int 5, int 6, int 7], nil]"),
    ];

    [Test]
    public void Sets_come_back()
    {
        foreach (int count in new[] { 0, 1, 3, 700 })
        {
            int[] numbers = [.. Enumerable.Range(0, count)];
            string[] texts = [.. numbers.Select(n => $"t{n}")];
            var sent = new Sets
            {
                Numbers = [.. numbers],
                Texts = new SortedSet<string>(texts),
                Quick = new HashSet<string>(texts),
                Pairs = [.. numbers.Select(n => (n, $"p{n}"))],
                Array = numbers,
                Queue = new Queue<string>(texts),
                Some = [.. numbers.Select(n => n == 0 ? (int?)null : n)],
                Parts = [.. numbers.Select(n => new Part(n))],
            };
            Sets came = Bytes.Echo(Sets.PacketType, sent);
            Assert.That(came.Numbers, Is.EquivalentTo(numbers));
            Assert.That(came.Texts, Is.InstanceOf<HashSet<string>>().And.EquivalentTo(texts));
            Assert.That(came.Quick, Is.EquivalentTo(texts));
            Assert.That(came.Pairs, Is.EquivalentTo(sent.Pairs));
            Assert.That(came.Array, Is.EqualTo(numbers));
            Assert.That(came.Queue, Is.EqualTo(texts));
            Assert.That(came.Some, Is.EquivalentTo(sent.Some));
            Assert.That(came.Parts, Is.EquivalentTo(sent.Parts!));
        }
    }

    [Test]
    public void Immutable_collections_come_back()
    {
        foreach (int count in new[] { 0, 1, 256, 257, 700 })
        {
            int[] numbers = [.. Enumerable.Range(0, count)];
            var sent = new Immutables(
                [.. numbers],
                [.. numbers.Select(n => $"t{n}")],
                numbers.ToImmutableDictionary(n => $"k{n}"),
                [[.. numbers]],
                [.. numbers.Select(n => new Part(n))]);
            Immutables came = Bytes.Echo(Immutables.PacketType, sent);
            Assert.That(came.Numbers, Is.EqualTo(sent.Numbers));
            Assert.That(came.Texts, Is.EqualTo(sent.Texts));
            Assert.That(came.Map, Is.EquivalentTo(sent.Map));
            Assert.That(came.Nested.Single(), Is.EqualTo(numbers));
            Assert.That(came.Parts!.Value, Is.EqualTo(sent.Parts!.Value));
        }
    }

    [Test]
    public void Tuples_come_back()
    {
        var sent = new Tuples((-5, "x"), [(1, null), (2, "b")], new ValueTuple<int>(7), (1, 2, 3, 4, 5, 6, 7), (new Part(9), [1, 2]));
        Tuples came = Bytes.Echo(Tuples.PacketType, sent);
        Assert.That((came.Named, came.One, came.Seven), Is.EqualTo((sent.Named, sent.One, sent.Seven)));
        Assert.That(came.List, Is.EqualTo(sent.List));
        Assert.That((came.Maybe!.Value.Part, came.Maybe.Value.Numbers), Is.EqualTo((sent.Maybe!.Value.Part, sent.Maybe.Value.Numbers)));
    }

    [Test]
    public void They_have_the_form_of_the_page()
    {
        Assert.That(Bytes.Hex(Sets.PacketType, new Sets { Numbers = [1, 2] }), Is.EqualTo("98" + "920102" + "90909090909090"));
        Assert.That(
            Bytes.Hex(Immutables.PacketType, new Immutables([1], ["a"], ImmutableDictionary<string, int>.Empty.Add("k", 2), [])),
            Is.EqualTo("95" + "9101" + "91a161" + "81a16b02" + "90" + "c0"));
        Assert.That(Bytes.Hex(Tuples.PacketType, Small()), Is.EqualTo("95" + "9201a0" + "90" + "9102" + "9701020304050607" + "c0"));
    }

    [Test]
    public void A_reader_gives_what_a_packet_lacks_an_empty_one()
    {
        Sets sets = Bytes.Read(Sets.PacketType, [0x90]);
        Assert.That((sets.Numbers.Count, sets.Texts.Count, sets.Array.Count), Is.EqualTo((0, 0, 0)));
        Immutables immutables = Bytes.Read(Immutables.PacketType, [0x90]);
        Assert.That((immutables.Numbers.IsDefault, immutables.Texts.Count, immutables.Map.Count), Is.EqualTo((false, 0, 0)));
        Assert.That(immutables.Parts, Is.Null);
        Tuples tuples = Bytes.Read(Tuples.PacketType, [0x90]);
        Assert.That((tuples.Named, tuples.One.Item1, tuples.Seven.Item7), Is.EqualTo(((0, string.Empty), 0, 0)));
        Assert.That(tuples.Maybe, Is.Null);
    }

    [Test]
    public void Null_travels_as_empty()
    {
        Sets sets = Bytes.Echo(Sets.PacketType, new Sets { Numbers = null!, Texts = null!, Array = null! });
        Assert.That((sets.Numbers.Count, sets.Texts.Count, sets.Array.Count), Is.EqualTo((0, 0, 0)));
        Immutables immutables = Bytes.Echo(Immutables.PacketType, new Immutables(default, null!, null!, [default]));
        Assert.That((immutables.Numbers.IsDefault, immutables.Texts.Count, immutables.Map.Count), Is.EqualTo((false, 0, 0)));
        Assert.That(immutables.Nested.Single().IsDefault, Is.False);
        Assert.That(Bytes.Echo(Tuples.PacketType, Small() with { Named = (1, null!) }).Named.Name, Is.Empty);
    }

    [TestCase("91920101", "Sets.Numbers: at byte 3 of the body: expected values that differ, got one that is there already.")]
    [TestCase("929092a161a161", "Sets.Texts: at byte 5 of the body: expected values that differ")]
    [TestCase("9490909092920" + "1a1619201a161", "Sets.Pairs: at byte 9 of the body: expected values that differ")]
    [TestCase("91" + Claim, "Sets.Numbers: at byte 1 of the body: expected array 32 with 2147483647 values")]
    [TestCase("949090909191" + "01", "Sets.Pairs: at byte 5 of the body: expected an array of at least 2 elements, got one of 1.")]
    [TestCase("95909090909201c3", "Sets.Array: at byte 7 of the body: expected an integer, got true (0xc3).")]
    public void A_set_of_another_shape_is_malformed(string body, string message) =>
        Assert.That(Bytes.Refusal(Sets.PacketType, body), Does.Contain(message));

    [TestCase("9180", "Immutables.Numbers: at byte 1 of the body: expected an array")]
    [TestCase("91c0", "Immutables.Numbers: at byte 1 of the body: expected an array, got nil")]
    [TestCase("91" + Claim, "Immutables.Numbers: at byte 1 of the body: expected array 32 with 2147483647 values")]
    [TestCase("9290" + Claim, "Immutables.Texts: at byte 2 of the body: expected array 32 with 2147483647 values")]
    [TestCase("939090df7fffffff", "Immutables.Map: at byte 3 of the body: expected map 32 with 4294967294 values")]
    [TestCase("93909082a16b01a16b02", "Immutables.Map: at byte 7 of the body: expected keys that differ")]
    public void An_immutable_collection_of_another_shape_is_malformed(string body, string message) =>
        Assert.That(Bytes.Refusal(Immutables.PacketType, body), Does.Contain(message));

    [TestCase("9101", "Tuples.Named: at byte 1 of the body: expected an array")]
    [TestCase("919101", "Tuples.Named: at byte 1 of the body: expected an array of at least 2 elements, got one of 1.")]
    [TestCase("919201c0", "Tuples.Named: at byte 3 of the body: expected a string, got nil")]
    [TestCase("91" + Claim, "Tuples.Named: at byte 1 of the body: expected array 32 with")]
    public void A_tuple_of_another_shape_is_malformed(string body, string message) =>
        Assert.That(Bytes.Refusal(Tuples.PacketType, body), Does.Contain(message));

    [Test]
    public void A_tuple_with_more_elements_is_of_a_later_version() =>
        Assert.That(Bytes.Read(Tuples.PacketType, Bytes.FromHex("919301a16193c0c0c0")).Named, Is.EqualTo((1, "a")));

    [Test]
    public void A_collection_that_changes_while_it_is_written_is_no_packet() =>
        Assert.Throws<InvalidOperationException>(() => Bytes.Of(Sets.PacketType, new Sets { Queue = new Liar() }));

#if NET
    [Test]
    public void A_claim_allocates_nothing()
    {
        // As many values as there are bytes, of which the first is no value.
        byte[] padded = new byte[4 << 20];
        foreach (string head in new[] { "91dd003fff00c1", "9290dd003fff00c1", "939090df001fff00c1" })
        {
            Bytes.FromHex(head).CopyTo(padded, 0);
            long before = GC.GetAllocatedBytesForCurrentThread();
            Assert.Throws<TransportException>(() => Bytes.Read(Sets.PacketType, padded));
            Assert.Throws<TransportException>(() => Bytes.Read(Immutables.PacketType, padded));
            Assert.That(GC.GetAllocatedBytesForCurrentThread() - before, Is.LessThan(100_000), head);
        }
    }

    [Test]
    public void A_read_only_set_comes_back() =>
        Assert.That(Bytes.Echo(ReadOnly.PacketType, new ReadOnly(new HashSet<int> { 1, 2 })).Set, Is.EquivalentTo(new[] { 1, 2 }));

    [Packet(2523)]
    internal sealed partial record ReadOnly(IReadOnlySet<int> Set);
#endif

    private static Tuples Small() => new((1, ""), [], new ValueTuple<int>(2), (1, 2, 3, 4, 5, 6, 7), null);

    /// <summary>Counts one thing and gives another.</summary>
    private sealed class Liar : IReadOnlyCollection<string>
    {
        public int Count => 2;

        public IEnumerator<string> GetEnumerator()
        {
            yield return "only";
        }

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    [Packet(2520)]
    internal sealed partial class Sets
    {
        public HashSet<int> Numbers { get; init; } = [];

        public ISet<string> Texts { get; init; } = new HashSet<string>();

        public ISet<string> Quick { get; init; } = new HashSet<string>();

        public HashSet<(int Number, string Name)> Pairs { get; init; } = [];

        public IReadOnlyCollection<int> Array { get; init; } = [];

        public IReadOnlyCollection<string> Queue { get; init; } = [];

        public HashSet<int?> Some { get; init; } = [];

        public HashSet<Part>? Parts { get; init; } = [];
    }

    [Packet(2521)]
    internal sealed partial record Immutables(
        ImmutableArray<int> Numbers,
        ImmutableList<string> Texts,
        ImmutableDictionary<string, int> Map,
        ImmutableList<ImmutableArray<int>> Nested,
        ImmutableArray<Part>? Parts = null);

    [Packet(2522)]
    internal sealed partial record Tuples(
        (int Count, string Name) Named,
        List<(int Count, string? Name)> List,
        ValueTuple<int> One,
        (int, byte, short, long, uint, ulong, sbyte) Seven,
        (Part Part, int[] Numbers)? Maybe);

    [PacketObject]
    internal readonly partial record struct Part(int Number);
}
