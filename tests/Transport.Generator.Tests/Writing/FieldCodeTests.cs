using System.Linq;
using NUnit.Framework;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Writing;

/// <summary>What is generated for a field compiles in every context, and what would have no end is an error.</summary>
internal sealed class FieldCodeTests
{
    private const string Usings =
        "using System; using System.Collections.Generic; using System.Collections.Immutable; using Transport;\n";

    [TestCase("[Packet(1024)] public partial record A(char X = '\\'', char? Y = '\\ud800', Half H = default, DateOnly? D = null);")]
    [TestCase("[Packet(1024)] public partial class A { public Uri X { get; set; } = null!; public Version? Y { get; set; } }")]
    [TestCase("[Packet(1024)] public partial record A(Dictionary<DateOnly, Uri?> X, IDictionary<char, DateTimeOffset?> Y);")]
    [TestCase("[Packet(1024)] public partial record A((int Count, string? Name) X, List<(A? Next, int[] Y)?> Y, (int, (int, string?)) Z);")]
    [TestCase("[Packet(1024)] public partial record A(ISet<string?>? X, HashSet<(int?, string?)> Y, IReadOnlySet<A> Z);")]
    [TestCase("[Packet(1024)] public partial record A(ImmutableArray<string?> X, ImmutableArray<int?>? Y, ImmutableList<A?>? Z);")]
    [TestCase("[Packet(1024)] public partial record A(ImmutableDictionary<Guid, ImmutableArray<A>> X, IReadOnlyCollection<A?>? Y);")]
    [TestCase("[Packet(1024)] public partial class A { public ImmutableArray<int> X { get; set; } = [1]; public HashSet<int>? Y = []; }")]
    [TestCase("#nullable disable\n[Packet(1024)] public partial record A((int, string) X, HashSet<string> Y, Uri Z, ImmutableList<A> W);")]
    [TestCase("namespace System.Mine { public class Uri; [Packet(1024)] public partial record A(System.Uri X, (int, Version) Y); }")]
    public void It_compiles_without_warnings(string source)
    {
        Compiler.Outcome outcome = Compiler.Run(Usings + source);
        Assert.That(outcome.Said, Is.Empty);
        Assert.That(outcome.Compiler, Is.Empty, string.Join("\n", outcome.Sources));
    }

    [TestCase("public partial record A([PacketFormatter(typeof(F<int?>))] int? X, [PacketFormatter(typeof(F<int>))] int? Y);")]
    [TestCase("public partial record A([property: PacketFormatter(typeof(F<A>))] A? X, [PacketFormatter(typeof(F<A>))] A? Y);")]
    [TestCase("public partial class A { [field: PacketFormatter(typeof(F<object>))] public object X { get; set; } = new(); }")]
    [TestCase("public partial class A { [PacketFormatter(typeof(G))] public List<string?>? X; class G : F<List<string?>>; }")]
    [TestCase("public partial record A([PacketFormatter(typeof(F<(int A, A B)>))] (int A, A B) X = default);")]
    public void A_field_with_its_own_formatter_compiles_without_warnings(string source) =>
        It_compiles_without_warnings("[Packet(1024)] " + source + """

        public class F<T> : IPacketFormatter<T>
        {
            public void Write(System.Buffers.IBufferWriter<byte> output, T packet) { }
            public T Read(in System.Buffers.ReadOnlySequence<byte> body) => throw new NotSupportedException();
        }
        """);

    [TestCase("[PacketObject] public partial record A((int, A) Next);")]
    [TestCase("[PacketObject] public partial record A((int, (B, int)) Next); [PacketObject] public partial record B(A X);")]
    public void What_holds_itself_by_way_of_a_tuple_has_no_end(string source) =>
        Assert.That(Compiler.Run(Usings + source).Said.Select(d => d.Id), Does.Contain("TRANSPORT014"));
}
