using System.Linq;
using Microsoft.CodeAnalysis;
using NUnit.Framework;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Writing;

/// <summary>What is generated for a field compiles in every context, and what would have no end is an error.</summary>
internal sealed class FieldCodeTests
{
    private const string Usings =
        "using System; using System.Collections.Generic; using System.Collections.Immutable; using Transport;\n";

    [TestCase("[Packet(1024)] public sealed partial record A(char X = '\\'', char? Y = '\\ud800', Half H = default, DateOnly? D = null);")]
    [TestCase("[Packet(1024)] public sealed partial class A { public Uri X { get; set; } = null!; public Version? Y { get; set; } }")]
    [TestCase("[Packet(1024)] public sealed partial record A(Dictionary<DateOnly, Uri?> X, IDictionary<char, DateTimeOffset?> Y);")]
    [TestCase("[Packet(1024)] public sealed partial record A((int Count, string? Name) X, List<(A? Next, int[] Y)?> Y, (int, (int, string?)) Z);")]
    [TestCase("[Packet(1024)] public sealed partial record A(ISet<string?>? X, HashSet<(int?, string?)> Y, IReadOnlySet<A> Z);")]
    [TestCase("[Packet(1024)] public sealed partial record A(ImmutableArray<string?> X, ImmutableArray<int?>? Y, ImmutableList<A?>? Z);")]
    [TestCase("[Packet(1024)] public sealed partial record A(ImmutableDictionary<Guid, ImmutableArray<A>> X, IReadOnlyCollection<A?>? Y);")]
    [TestCase("[Packet(1024)] public sealed partial class A { public ImmutableArray<int> X { get; set; } = [1]; public HashSet<int>? Y = []; }")]
    [TestCase("#nullable disable\n[Packet(1024)] public sealed partial record A((int, string) X, HashSet<string> Y, Uri Z, ImmutableList<A> W);")]
    [TestCase("namespace System.Mine { public class Uri; [Packet(1024)] public sealed partial record A(System.Uri X, (int, Version) Y); }")]
    public void It_compiles_without_warnings(string source)
    {
        Compiler.Outcome outcome = Compiler.Run(Usings + source);
        Assert.That(outcome.Said, Is.Empty);
        Assert.That(outcome.Compiler, Is.Empty, string.Join("\n", outcome.Sources));
    }

    [TestCase("public sealed partial record A([PacketField(Formatter = typeof(F<int?>))] int? X, "
        + "[PacketField(Formatter = typeof(F<int>))] int? Y);")]
    [TestCase("public sealed partial record A([property: PacketField(Formatter = typeof(F<A>))] A? X, "
        + "[PacketField(Formatter = typeof(F<A>))] A? Y);")]
    [TestCase("public sealed partial class A { [field: PacketField(Formatter = typeof(F<object>))] public object X { get; set; } = new(); }")]
    [TestCase("public sealed partial class A { [PacketField(Formatter = typeof(G))] public List<string?>? X; class G : F<List<string?>>; }")]
    [TestCase("public sealed partial record A([PacketField(Formatter = typeof(F<(int A, A B)>))] (int A, A B) X = default);")]
    public void A_field_with_its_own_formatter_compiles_without_warnings(string source) =>
        It_compiles_without_warnings("[Packet(1024)] " + source + """

        public class F<T> : IPacketFormatter<T>
        {
            public void Write(System.Buffers.IBufferWriter<byte> output, T packet) { }
            public T Read(in System.Buffers.ReadOnlySequence<byte> body) => throw new NotSupportedException();
        }
        """);

    [TestCase("abstract partial record", "[PacketObject] public sealed partial record A : U; [PacketObject] public sealed partial record B(U? X) : U;")]
    [TestCase("abstract partial class", "[PacketObject] public sealed partial class A : U; [PacketObject] partial class B : U { public U? X; }")]
    [TestCase("partial interface", "[PacketObject] public partial struct A : U { public int X; } [PacketObject] partial class B : U;")]
    [TestCase("abstract partial class", "[PacketObject] public partial class A : U; [PacketObject] public sealed partial class B : A;")]
    [TestCase("abstract partial class", "[PacketObject] public sealed partial class A : B; [PacketObject] public partial class B : U;")]
    [TestCase("abstract partial record", "[Packet(1025)] public sealed partial record A(U X) : U; [PacketObject] internal sealed partial record B : U;")]
    [TestCase("abstract partial record", "[PacketObject] partial record A((U, U[]) X) : U; [PacketObject] public sealed partial record B : U;")]
    public void A_union_compiles_without_warnings(string kind, string cases) => It_compiles_without_warnings(
        $"[PacketUnion(0, typeof(A))][PacketUnion(int.MaxValue, type: typeof(B))] public {kind} U {{ }} {cases} "
            + "[Packet(1024)] public sealed partial record P(U X, U? Y, List<U> Z, Dictionary<int, U?>? M, HashSet<U?> S, ImmutableArray<U> I)"
            + " { public U? V { get; init; } = null; public U W { get; init; } = Make(); private static U Make() => null!; }");

    [TestCase("public abstract partial record U { [PacketObject] private sealed partial record A(int X) : U; }", "U.A")]
    [TestCase("public abstract partial class U; namespace N { partial class O { [PacketObject] internal sealed partial class A : U; } }", "N.O.A")]
    [TestCase("public abstract partial record U; [PacketObject] public sealed partial record A(U? X) : U; public partial record U;", "A")]
    [TestCase("#nullable disable\npublic abstract partial record U; [PacketObject] public sealed partial record A(U X) : U;", "A")]
    [TestCase("public partial interface @partial; [PacketObject] public sealed partial record @int(@partial? X) : @partial;", "@int")]
    public void A_union_of_one_case_compiles_without_warnings(string source, string first) => It_compiles_without_warnings(
        source.Insert(source.IndexOf("public", System.StringComparison.Ordinal), $"[PacketUnion(0, typeof({first}))] "));

    [TestCase("[PacketObject] public sealed partial record A(U X) : U; [PacketObject] public sealed partial record B(int X) : U;", null)]
    [TestCase("[PacketObject] public sealed partial record A(U X) : U; [PacketObject] public sealed partial record B(U? X) : U;", null)]
    [TestCase("[PacketObject] public sealed partial record A(U X) : U; [PacketObject] public sealed partial record B(U[] X) : U;", null)]
    [TestCase("[PacketObject] public sealed partial record A(B X) : U; [PacketObject] public sealed partial record B(int X) : U;", null)]
    [TestCase("[PacketObject] public sealed partial record A(U X) : U; [PacketObject] public sealed partial record B(U X) : U;", "X X")]
    [TestCase("[PacketObject] public sealed partial record A(B X) : U; [PacketObject] public sealed partial record B((int, U) Y) : U;", "X Y")]
    [TestCase("[PacketObject] public sealed partial record A(U X) : U; [PacketObject] public sealed partial record B((C, int) Y) : U;", "X Y Z")]
    public void A_union_has_an_end_if_one_of_its_cases_has(string cases, string? endless)
    {
        const string Union = "[PacketUnion(0, typeof(A)), PacketUnion(1, typeof(B))] public abstract partial record U; ";
        const string Other = "[PacketObject] public sealed partial record C(U Z);";
        Compiler.Outcome outcome = Compiler.Run(Usings + Union + "[Packet(1024)] public sealed partial record P(U Field); " + cases + Other);
        string[] named = [.. outcome.Said.Where(d => d.Id == "TRANSPORT014").Select(d => d.GetMessage().Split('\'')[1])];
        Assert.That(string.Join(" ", named.OrderBy(n => n, System.StringComparer.Ordinal)), Is.EqualTo(endless ?? string.Empty));
        Assert.That(endless is null ? outcome.Compiler : [], Is.Empty);
    }

    [Test]
    public void The_smallest_case_of_a_union_counts_to_the_depth()
    {
        // Each object holds a union, whose other case is an end or another object.
        string Chain(bool hasEnd) => string.Concat(Enumerable.Range(1, 40).Select(i =>
            $"[PacketUnion(0, typeof(A{i}))] {(hasEnd ? $"[PacketUnion(1, typeof(B{i}))]" : "")} public abstract partial record U{i};"
            + $"[PacketObject] public sealed partial record A{i}({(i < 40 ? $"U{i + 1}" : "int")} X) : U{i};"
            + $"[PacketObject] public sealed partial record B{i} : U{i};"));
        const string Packet = "[Packet(1024)] public sealed partial record P(U1 Field); ";
        Assert.That(Compiler.Run(Usings + Packet + Chain(hasEnd: true)).Said, Is.Empty);
        string[] said = [.. Compiler.Run(Usings + Packet + Chain(hasEnd: false)).Said.Select(d => d.GetMessage())];
        Assert.That(said, Has.One.StartsWith("'Field' has type 'U1', which cannot travel: it holds others, none of which may be null"));
    }

    [Test]
    public void A_union_of_another_project_is_used_if_it_has_its_formatter()
    {
        const string Union =
            "[PacketUnion(0, typeof(A))] public abstract partial record U; [PacketObject] public sealed partial record A(int X) : U;";
        Diagnostic[] said = Compiler.Said(Compiler.Image(Usings + Union), Usings + "[Packet(1024)] public sealed partial record P(U X);");
        Assert.That(said.Single().GetMessage(), Does.Contain("'U' is marked, but its assembly has no formatter for it"));
        string generated = string.Concat(Compiler.Run(Usings + Union).Sources);
        said = Compiler.Said(Compiler.Image(Usings + Union + generated), Usings + "[Packet(1024)] public sealed partial record P(U X);");
        Assert.That(said, Is.Empty);
    }

    [TestCase("[PacketObject] public sealed partial record A((int, A) Next);")]
    [TestCase("[PacketObject] public sealed partial record A((int, (B, int)) Next); [PacketObject] public sealed partial record B(A X);")]
    public void What_holds_itself_by_way_of_a_tuple_has_no_end(string source) =>
        Assert.That(Compiler.Run(Usings + source).Said.Select(d => d.Id), Does.Contain("TRANSPORT014"));
}
