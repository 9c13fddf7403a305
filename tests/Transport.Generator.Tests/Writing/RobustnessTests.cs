using System;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using NUnit.Framework;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Writing;

/// <summary>Half-typed code gets messages, never an exception.</summary>
internal sealed class RobustnessTests
{
    private const int Rounds = 400;

    private const string Source = """
        using System;
        using System.Collections.Generic;
        using Transport;
        namespace Sample.Deep
        {
            public enum Kind { A, B = 7 }
            [Packet(1024, Name = "a", Lane = Lane.Urgent, LevelProperty = nameof(Kind))]
            public sealed partial record A(int X, string? Y = "x", Kind Kind = Kind.B, double Z = double.NaN)
            {
                [PacketIgnore] public int Ignored { get; set; }
                public required List<B> Items { get; init; }
                public Dictionary<string, byte[]>? Map { get; init; } = new();
            }
            public static partial class Outer
            {
                [PacketObject] public partial struct B
                {
                    [PacketField(0)] public long First { get; set; }
                    [PacketField(1)] public Guid? Second;
                }
            }
            [PacketUnion(0, typeof(Leaf)), PacketUnion(number: 1, type: typeof(Node))] public abstract partial record Tree;
            [PacketObject] public sealed partial record Leaf(int X) : Tree;
            [PacketObject] public sealed partial record Node(Tree Left, Tree? Right) : Tree;
            [Packet(1025)] internal sealed partial class C : IDisposable
            {
                public C(int @class) { Class = @class; }
                public int Class { get; }
                public void Dispose() { }
            }
        }
        """;

    [Test]
    public void Code_with_tokens_missing_doubled_or_swapped_never_breaks_it()
    {
        int seed = Environment.GetEnvironmentVariable("TRANSPORT_SEED") is { } given ? int.Parse(given) : Environment.TickCount;
        TestContext.Out.WriteLine($"TRANSPORT_SEED={seed}");
        var random = new Random(seed);
        string[] tokens = [.. CSharpSyntaxTree.ParseText(Source).GetRoot().DescendantTokens().Select(t => t.ToFullString())];
        for (int round = 0; round < Rounds; round++)
        {
            var broken = tokens.ToList();
            for (int i = random.Next(3); i >= 0; i--)
            {
                int at = random.Next(broken.Count);
                switch (random.Next(3))
                {
                    case 0:
                        broken.RemoveAt(at);
                        break;
                    case 1:
                        broken.Insert(at, tokens[random.Next(tokens.Length)]);
                        break;
                    default:
                        broken[at] = tokens[random.Next(tokens.Length)];
                        break;
                }
            }

            string source = string.Concat(broken);
            CSharpCompilation compilation = Compiler.Compile(LanguageVersion.Latest, source);
            GeneratorRunResult result = Compiler.Driver(compilation).RunGenerators(compilation).GetRunResult().Results[0];
            Assert.That(result.Exception, Is.Null, $"round {round} of seed {seed}:\n{source}");
            Assert.That(result.Diagnostics.Where(d => d.Id == "TRANSPORT099"), Is.Empty, $"round {round} of seed {seed}:\n{source}");
        }
    }

    [Test]
    public void Names_that_differ_in_case_alone_get_files_of_their_own()
    {
        Compiler.Outcome outcome = Compiler.Run("using Transport; namespace N { [Packet(1024)] public sealed partial record Ab(int X); "
            + "[Packet(1025)] public sealed partial record AB(int X); }");
        Assert.That(outcome.Said, Is.Empty);
        Assert.That(outcome.Compiler, Is.Empty);
        Assert.That(outcome.Sources, Has.Count.EqualTo(2));
    }

    [TestCase("[Packet(1024)] public sealed partial class A { public A(string x) { X = x; } public string? X { get; } }",
        TestName = "a parameter that may not be null for a property that may")]
    [TestCase("[Packet(1024)] public sealed partial class A { [System.Diagnostics.CodeAnalysis.Experimental(\"EXP1\")] public int X { get; "
        + "set; } }", TestName = "an experimental field")]
    [TestCase("[Packet(1024)] public sealed partial class A { [System.Obsolete(\"x\", DiagnosticId = \"OWN1\")] public int X { get; set; } }",
        TestName = "an obsolete field with an id of its own")]
    [TestCase("[assembly: System.CLSCompliant(true)] [Packet(1024)] public sealed partial class A { public int X { get; set; } }",
        TestName = "an assembly that complies with the CLS")]
    public void No_warning_of_the_generated_code_reaches_a_user(string source)
    {
        Compiler.Outcome outcome = Compiler.Run("using Transport; " + source);
        Assert.That(outcome.Said, Is.Empty);
        Assert.That(outcome.Shown.Where(d => d.Location.SourceTree?.FilePath.StartsWith("File", StringComparison.Ordinal) != true),
            Is.Empty);
    }

    [TestCase("[Packet(1024)] public sealed partial class { } [Packet(1025)] public sealed partial record (int X);", TestName = "types without names")]
    [TestCase("[Packet(1024)] public sealed partial class B { } [Packet(1025)] public partial struct B { }",
        TestName = "a class and a struct of one name")]
    [TestCase("namespace A { [Packet(1024)] public sealed partial record B(int X); } public sealed partial class A { [Packet(1025)] public sealed "
        + "partial record B(int X); }", TestName = "a namespace and a type of one name")]
    public void Types_of_one_name_are_the_compilers_to_judge(string source)
    {
        CSharpCompilation compilation = Compiler.Compile(LanguageVersion.Latest, "using Transport; " + source);
        Assert.That(Compiler.Driver(compilation).RunGenerators(compilation).GetRunResult().Results[0].Exception, Is.Null);
    }

    [Test]
    public void A_packet_inside_a_type_of_its_file_alone_is_refused()
    {
        const string Local = "using Transport; file partial class Outer { [Packet(1024)] public sealed partial record B(int X); }";
        Compiler.Outcome outcome = Compiler.Run(Local, Local.Replace("1024", "1025"));
        Assert.That(outcome.Said.Select(d => d.Id), Is.EqualTo(new[] { "TRANSPORT018", "TRANSPORT018" }));
    }

    [Test]
    public void No_character_of_a_name_ends_the_comment_it_stands_in()
    {
        Compiler.Outcome outcome =
            Compiler.Run("using Transport; [Packet(1024, Name = \"a\\u2028b\\u0085c\\u0001d\")] public sealed partial record A(int X);");
        Assert.That(outcome.Compiler, Is.Empty);
    }

    [Test]
    public void An_attribute_on_two_parts_is_the_compilers_to_judge()
    {
        Compiler.Outcome outcome =
            Compiler.Run("using Transport; [Packet(1024)] public sealed partial record A(int X); [Packet(1025)] public sealed partial record A;");
        Assert.That(outcome.Compiler.Select(d => d.Id), Is.EqualTo(new[] { "CS0579" }));
        Assert.That(outcome.Sources, Has.Count.EqualTo(1));
    }

    [TestCase("[Packet(1024)] public sealed partial class @var { public int X { get; set; } }", TestName = "a type called var")]
    [TestCase("namespace @partial.partialX { [Packet(1024)] public sealed partial record @partial(int X, @partial? Next); }",
        TestName = "a type called partial")]
    [TestCase("[Packet(1024)] public sealed partial class A { public int X { get; set; } public partial string Lazy { get; } public partial "
        + "string Lazy { get => field ??= \"x\"; } }", TestName = "a partial property that is computed once")]
    [TestCase("[Packet(1024)] public sealed partial class A { public int X { get; set; } [field: PacketIgnore] public object? Y { get; } }",
        TestName = "a field behind a property that is marked")]
    [TestCase("[Packet(1024)] public sealed partial record @class(int @int, string? @namespace) { public int field { get; init; } public int "
        + "value { get; init; } }", TestName = "keywords for names")]
    [TestCase("[Packet(1024)] public sealed partial class A { public List<int> Fields { get; init; } = []; public List<long> Nested { get; init; "
        + "} = []; public List<string> Older { get; init; } = []; }", TestName = "names of the formatter's own methods")]
    [TestCase("[Packet(1024)] public sealed partial class A { public List<List<int>> X { get; init; } = []; public List<int> XItem { get; init; "
        + "} = []; public int count { get; set; } public int reader { get; set; } public int writer { get; set; } public int packet { "
        + "get; set; } }", TestName = "names that meet")]
    [TestCase("[Packet(1024)] public sealed partial class A { [Obsolete] public int X { get; set; } [Obsolete(\"unused\")] public int Y { get; "
        + "set; } }", TestName = "obsolete fields")]
    [TestCase("[PacketObject] public sealed partial class B { public int X { get; set; } } [Packet(1024)] public sealed partial class A { public B B { "
        + "get; set; } = new(); public B? C { get; set; } public B[]? D { get; set; } }", TestName = "members named as their types")]
    [TestCase("#nullable disable\n[PacketObject] public sealed partial class B { public int X { get; set; } } [Packet(1024)] public sealed "
        + "partial class A { public B B { get; set; } public string C { get; set; } public B[] D { get; set; } public List<string> E { get; set; "
        + "} public Dictionary<string, List<B>> F { get; set; } public byte[] G { get; set; } }", TestName = "without nullable")]
    [TestCase("[Packet(1024, Name = \"<a> & \\\"b\\\"\")] public sealed partial record A(string X = \"a\\n\\\"\", float F = float.NaN, double D "
        + "= 1e300, decimal M = 1.5m, ulong U = ulong.MaxValue, long L = long.MinValue, int? N = -5, DayOfWeek E = (DayOfWeek)(-1), "
        + "string? S = null, bool B = true, Guid G = default);", TestName = "defaults of parameters")]
    [TestCase("namespace Transport.Mine { namespace System { public class Math; } [Packet(1024)] public sealed partial record A(List<int> X, "
        + "IDictionary<int, string> Y); }", TestName = "namespaces in the way")]
    [TestCase("[Packet(1024)] public sealed partial record A { public int X { get; private set; } internal int Y { get; set; } [PacketIgnore] "
        + "public object? Z { get; set; } public int Sum => X + Y; public static int S { get; set; } public int this[int i] => "
        + "i; }", TestName = "members that do not travel")]
    [TestCase("public class Base { public int Sum => 1; public virtual int Y => 2; } [Packet(1024)] public sealed partial class A : Base { "
        + "public int X { get; set; } public override int Y => X; }", TestName = "a base without fields")]
    [TestCase("[Packet(1024)] public sealed partial class A { public A(int x, string name) { X = x; Name = name; } public A(int x) : this(x, "
        + "string.Empty) { } public int X { get; } public string Name { get; } public int? Extra { get; set; "
        + "} }", TestName = "the longest constructor")]
    [TestCase("[Packet(1024)] public readonly partial struct A { public A(int x) { X = x; } public int X { get; } }",
        TestName = "a readonly struct with a constructor")]
    [TestCase("[PacketObject] public sealed partial class B { public int X { get; set; } public B Next => new(); } [Packet(1024)] public sealed "
        + "partial record A(B X) { public A Other => this; }", TestName = "a computed property that leads back")]
    [TestCase("public interface I { int Y { get; set; } } [Packet(1024)] public sealed partial class A : I { public int X { get; set; } int I.Y "
        + "{ get; set; } }", TestName = "an explicit interface member")]
    [TestCase("public class Base { public class A { } public class PacketFormatter { } } [Packet(1024)] public sealed partial class A : Base { "
        + "public int X { get; set; } }", TestName = "a base's nested type of the packet's name")]
    [TestCase("[Packet(1024)] public sealed partial class A { [Obsolete(\"no\", true)] public int X { get; set; } [Obsolete(\"no\", true)] "
        + "public List<int?>? Y { get; set; } = []; public int Z { [Obsolete(\"no\", true)] get; set; "
        + "} }", TestName = "fields that are obsolete as errors")]
    [TestCase("[Packet(1024)] public sealed partial record A(int X) { [Obsolete(\"no\", true)] public string[] Y { get; init; } = []; }",
        TestName = "one of a record")]
    [TestCase("[Obsolete(\"no\", true)] public enum E { } [Packet(1024)] public sealed partial class A { [Obsolete] public Dictionary<int, E[]> "
        + "X { get; set; } = new(); [Obsolete(\"no\", true)] public A() { } }", TestName = "types and constructors that are obsolete "
        + "as errors")]
    [TestCase("[Packet(1024)] public sealed partial class A { public int X { get; set; } public int Twice => X * 2; public string Name { get { "
        + "return \"a\"; } } public string Lazy => field ??= \"x\"; public int Kept { get { if (field == 0) { field = X + 1; } return "
        + "field; } } }", TestName = "computed properties")]
    [TestCase("[Packet(1024)] public sealed partial record Ping; [Packet(1025)] public sealed partial class Pong { public static int S; public const "
        + "int C = 1; public string Name => \"x\"; [PacketIgnore] internal int Local { get; set; } [PacketIgnore] public int Id { get; "
        + "} = 3; }", TestName = "packets without fields")]
    [TestCase("public abstract class Base { public abstract int X { get; init; } public virtual int Y { get; set; } } [Packet(1024)] "
        + "public sealed partial class A : Base { public override int X { get; init; } public override int Y { get; set; "
        + "} }", TestName = "overrides of what a base declares")]
    public void It_compiles_without_warnings(string source)
    {
        Compiler.Outcome outcome = Compiler.Run(source.StartsWith("#", StringComparison.Ordinal)
            ? source.Replace("disable\n", "disable\nusing System; using System.Collections.Generic; using Transport;\n")
            : "using System; using System.Collections.Generic; using Transport;\n" + source);
        Assert.That(outcome.Said, Is.Empty);
        Assert.That(outcome.Compiler, Is.Empty, string.Join("\n", outcome.Sources));
    }
}
