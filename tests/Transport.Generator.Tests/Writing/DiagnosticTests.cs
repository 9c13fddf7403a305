using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using NUnit.Framework;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Writing;

/// <summary>What cannot be done is said by the compiler, at the place in question ({|…|} in the sources), in words that help.</summary>
internal sealed class DiagnosticTests
{
    private const string S = "[PacketUnion(0, typeof(A)), PacketUnion(1, typeof(B))] public abstract partial record S;";
    private const string Usings = "using System; using System.Collections.Generic; using System.Threading; using System.Threading.Tasks; "
        + "using Transport;\n";

    private static IEnumerable<TestCaseData> Cases =>
    [
        Case("TRANSPORT001", "[Packet(1024)] public record {|A|}(int X);", "Make 'A' partial: the generator adds its formatter to it"),
        Case("TRANSPORT001", "public class {|Outer|} { [Packet(1024)] public sealed partial record A(int X); }", "Make 'Outer' partial"),
        Case("TRANSPORT038", "[Packet(1024)] public partial record {|A|}(int X);",
            "'A' is not sealed, and an object of a class derived from it arrives without that class's fields: seal it"),
        Case("TRANSPORT038", "[PacketUnion(0, typeof(A)), PacketUnion(1, typeof(B))] public abstract partial record S; [PacketObject] public "
            + "partial record A(int X) : S; [PacketObject] public sealed partial record B(int X, int Y) : A(X); [Packet(1024)] public sealed "
            + "partial record P(S Any, {|List<A?>|} One);", "'A' is not sealed"),
        Case("TRANSPORT038", "[PacketObject] public partial class {|A|} { public int X { get; set; } }", "with [PacketUnion]"),
        Case("TRANSPORT002", "[Packet(1024)] public sealed partial record {|A|}<T>(int X);", "is generic"),
        Case("TRANSPORT002", "public sealed partial class Outer<T> { [PacketObject] public sealed partial record {|A|}(int X); }",
            "stands in a generic type"),
        Case("TRANSPORT003", "[Packet({|255|})] public sealed partial record A(int X);",
            "255 is no number for packet 'A': allowed are 256 to 65535"),
        Case("TRANSPORT003", "[Packet({|65_536|})] public sealed partial record A(int X);", "65536"),
        Case("TRANSPORT003", "[Packet({|-1|})] public sealed partial record A(int X);", "-1"),
        Case("TRANSPORT003", "[Packet({|273|})] public sealed partial record A(int X);", "272 to 276 (requests)"),
        Case("TRANSPORT003", "[Packet({|261|})] public sealed partial record A(int X);", "259 to 261 (tables)"),
        Case("TRANSPORT004", "[Packet(1024)] public sealed partial record A(int X); [Packet({|1024|})] public sealed partial record B(int X);",
            "Packet 'B' has number 1024, which 'A' has already"),
        Case("TRANSPORT005", "[Packet(1024)] public sealed partial record A({|object|} X);", "'X' has type 'object', which cannot travel"),
        Case("TRANSPORT005", "[Packet(1024)] public sealed partial record A({|List<object>|} X);", "cannot travel"),
        Case("TRANSPORT005", "[Packet(1024)] public sealed partial class A { public {|int[,]|} X { get; set; } = new int[0, 0]; }",
            "an array of arrays"),
        Case("TRANSPORT005", "[Packet(1024)] public sealed partial class A { public {|Dictionary<byte[], int>?|} X { get; set; } }",
            "the key of a map"),
        Case("TRANSPORT005", "public class Inner; [Packet(1024)] public sealed partial record A({|Inner|} X);",
            "mark 'Inner' with [PacketObject]"),
        Case("TRANSPORT005", "[Packet(1024)] public sealed partial record A({|(int, object)|} X);", "cannot travel"),
        Case("TRANSPORT005", "[Packet(1024)] public sealed partial record A({|IEnumerable<int>|} X);", "What travels: bool, numbers, string"),
        Case("TRANSPORT005", "[Packet(1024)] public sealed partial record A({|nint|} X);", "cannot travel"),
        Case("TRANSPORT005", "namespace System.Collections.Generic { public class List; [Packet(1024)] public sealed partial record "
            + "A({|List|} X); }", "mark 'List' with [PacketObject]"),
        Case("TRANSPORT005", "namespace System.Collections.Generic { public class Dictionary<T>; [Packet(1024)] public sealed partial record "
            + "A({|Dictionary<int>|} X); }", "mark"),
        Case("TRANSPORT005", "[Packet(1024)] public sealed partial record A({|" + Lists(64) + "|} X);", "nested more than 63 deep"),
        Case("TRANSPORT005", "[Packet(1024)] public sealed partial record A({|int" + Times("[]", 3_000) + "|} X);", "nested more than 63 deep"),
        Case("TRANSPORT005", Chain(64) + "[Packet(1024)] public sealed partial record A({|O1|} X);",
            "it holds others, none of which may be null, more than 63 deep"),
        Case("TRANSPORT006", "[Packet(1024)] public sealed partial class A { [PacketField(0)] public int X { get; set; } [PacketField(0)] public "
            + "int {|Y|} { get; set; } }", "Place 0 of 'A' is taken by 'X': 'Y' needs one of its own"),
        Case("TRANSPORT006", "[Packet(1024)] public sealed partial record A([PacketField(0)] int X, [property: PacketField(0)] int {|Y|});",
            "taken by 'X'"),
        Case("TRANSPORT007", "[Packet(1024)] public sealed partial class A { [PacketField(0)] public int X { get; set; } [PacketField(2)] public "
            + "int {|Y|} { get; set; } }", "no field of 'A' has place 1"),
        Case("TRANSPORT007", "[Packet(1024)] public sealed partial class A { [PacketField(1)] public int {|X|} { get; set; } }",
            "no field of 'A' has place 0"),
        Case("TRANSPORT008", "[Packet(1024)] public sealed partial class {|A|}(int z) { public int X { get; set; } = z; }",
            "no public property belongs to the parameter 'z'"),
        Case("TRANSPORT008", "[Packet(1024)] public sealed partial class {|A|}(long x) { public int X { get; } = (int)x; }",
            "have different types"),
        Case("TRANSPORT008", "[Packet(1024)] public sealed partial class A { public int X { get; set; } [PacketIgnore] public required int {|Y|} "
            + "{ get; set; } }", "'Y' is required but does not travel"),
        Case("TRANSPORT008", "[Packet(1024)] public sealed partial class {|A|} { public A(int x, string y) { X = x; Y = y; } public A(string y, "
            + "int x) { X = x; Y = y; } public int X { get; } public string Y { get; } }", "two of its constructors fit equally"),
        Case("TRANSPORT009", "[Packet(1024)] public sealed partial class A { [PacketField(0)] public int X { get; set; } public int {|Y|} { get; "
            + "set; } }", "give it [PacketField(n)] or [PacketIgnore]"),
        Case("TRANSPORT010", "[Packet(1024)] public sealed partial class {|A|} { public int X { get; set; } } public sealed partial class A { public "
            + "int Y { get; set; } }", "stand in several parts"),
        Case("TRANSPORT011", "public class Base { public int X { get; set; } } [Packet(1024)] public sealed partial class {|A|} : Base { public "
            + "int Y { get; set; } }", "inherits the field 'X' from 'Base'"),
        Case("TRANSPORT011", "public class Base { public int X { get; } = 1; } [Packet(1024)] public sealed partial class {|A|} : Base { public "
            + "int Y { get; set; } }", "mark this one [PacketIgnore] there"),
        Case("TRANSPORT011", "public class Base { public virtual int X { get; set; } } [Packet(1024)] public sealed partial class {|A|} : Base { "
            + "public override int X { get => 1; } }", "inherits the field 'X'"),
        Case("TRANSPORT011", "public record Base(int X); [Packet(1024)] public sealed partial record {|A|}(int X, int Y) : Base(X);",
            "inherits the field 'X' from 'Base'"),
        Case("TRANSPORT011", "[Packet(1024)] public sealed partial class {|A|} : HashSet<int> { public int Y { get; set; "
            + "} }", "inherits the field 'items' from 'HashSet<int>': a change there would move its fields. Declare all fields in the "
            + "packet itself."),
        Case("TRANSPORT008", "public class Base { [PacketIgnore] public required int X { get; init; } } [Packet(1024)] public sealed "
            + "partial class {|A|} : Base { public int Y { get; set; } }", "'X' of 'Base' is required but does not travel"),
        Case("TRANSPORT012", "[Packet(1024, {|Lane = Lane.Control|})] public sealed partial record A(int X);",
            "Lane Control is not for packet 'A'"),
        Case("TRANSPORT013", "[Packet(1024)] public sealed partial record A(int {|PacketType|});", "has a member 'PacketType' already"),
        Case("TRANSPORT013", "[PacketObject] public sealed partial record A(int X) { public void {|PacketFormatter|}() { } }",
            "has a member 'PacketFormatter' already"),
        Case("TRANSPORT014", "[PacketObject] public sealed partial record A(int X, {|A|} Next);", "make 'Next' nullable"),
        Case("TRANSPORT014", "[PacketObject] public sealed partial record A(B X); [PacketObject] public sealed partial record B({|C|} X); "
            + "[PacketObject] public sealed partial record C(B X, A? Y);", "make 'X' nullable"),
        Case("TRANSPORT015", "[Packet(1024, {|LevelProperty = \"Nope\"|})] public sealed partial record A(int X);",
            "'Nope' is no property of 'A'"),
        Case("TRANSPORT015", "[Packet(1024, {|LevelProperty = nameof(A.X)|})] public sealed partial record A(string X);", "an integer or an enum"),
        Case("TRANSPORT015", "[Packet(1024, {|LevelProperty = \"this[]\"|})] public sealed partial record A(int X) { public int this[int i] "
            + "=> i; }", "no indexer"),
        Case("TRANSPORT015", "public interface I { int L { get; } } [Packet(1024, {|LevelProperty = \"I.L\"|})] public sealed partial record "
            + "A(int X) : I { int I.L => 1; }", "'I.L' is no property"),
        Case("TRANSPORT015", "[Packet(1024, {|LevelProperty = nameof(A.L)|})] public sealed partial record A(int X) { [Obsolete(\"no\", true)] "
            + "public int L => 1; }", "not Obsolete as an error"),
        Case("TRANSPORT016", "[Packet({|300|})] public sealed partial record A(int X);", "from 1024 on"),
        Case("TRANSPORT018", "[Packet(1024)] public abstract partial record {|A|}(int X);", "abstract"),
        Case("TRANSPORT018", "[Packet(1024)] public static partial class {|A|} { }", "static"),
        Case("TRANSPORT018", "[Packet(1024)] public ref partial struct {|A|} { }", "a ref struct"),
        Case("TRANSPORT018", "[Packet(1024)] file partial record {|A|}(int X);", "local to its file"),
        Case("TRANSPORT019", "[Packet(1024)] public sealed partial class A { [PacketField(0)] public int {|X|} => 1; }",
            "'X' is marked [PacketField] but cannot be read and set"),
        Case("TRANSPORT019", "public interface I { int X { get; set; } } [Packet(1024)] public sealed partial class A : I { [PacketField(0)] int "
            + "I.{|X|} { get; set; } }", "by its name"),
        Case("TRANSPORT019", "[Packet(1024)] public sealed partial class A { [PacketField(0)] public static int {|X|} { get; set; } }",
            "belongs to the type, not to its objects"),
        Case("TRANSPORT019", "[Packet(1024)] public sealed partial class A { [PacketField(0)] public const int {|X|} = 1; }",
            "belongs to the type, not to its objects"),
        Case("TRANSPORT019", "[Packet(1024)] public sealed partial class A { [PacketField(0)] public int {|X|} { set { } } }",
            "cannot be read and set"),
        Case("TRANSPORT019", "[Packet(1024)] public sealed partial class A { [PacketField(0), PacketIgnore] public int {|X|} { get; set; } }",
            "is marked [PacketIgnore] too"),
        Case("TRANSPORT006", "[Packet(1024)] public sealed partial class A { [field: PacketField(0)] public int X { get; set; } [field: "
            + "PacketField(0)] public int {|Y|} { get; set; } }", "Place 0 of 'A' is taken by 'X'"),
        Case("TRANSPORT020", "[Packet(1024)] public sealed partial class P { public int {|A|} { get; } }", "'A' is data of 'P' that no reader "
            + "can set, so it would not arrive: give it an init or set accessor, make it a parameter of the constructor, or mark it "
            + "[PacketIgnore]"),
        Case("TRANSPORT020", "[Packet(1024)] public sealed partial class P { public int B { get; set; } public List<int> {|A|} { get; } = []; }",
            "'A' is data"),
        Case("TRANSPORT020", "[Packet(1024)] public sealed partial class P { public readonly int {|A|} = 3; }", "'A' is data"),
        Case("TRANSPORT020", "[Packet(1024)] public sealed partial record P(int X) { public int {|A|} { get; } = X; }", "'A' is data"),
        Case("TRANSPORT020", "[Packet(1024)] public readonly partial struct P { public int {|A|} { get; } }", "'A' is data"),
        Case("TRANSPORT020", "[Packet(1024)] public sealed partial class P { public P(int a) { A = a; } public P(int a, string b) { A = a; } "
            + "public int A { get; } public string B { get; set; } = \"\"; public int {|C|} { get; } }", "'C' is data"),
        Case("TRANSPORT020", "[Packet(1024)] public sealed partial class P { public int {|A|} { get => field; } = 7; }", "'A' is data"),
        Case("TRANSPORT020", "[Packet(1024)] public sealed partial class P { public P() { A = 7; } public partial int {|A|} { get; } public "
            + "partial int A { get => field; } }", "'A' is data"),
        Own("public class F { }", "int", "it does not implement IPacketFormatter<int>"),
        Own("public abstract class F { }", "int", "no object of it can be made"),
        Own("public interface F { }", "int", "no object of it can be made"),
        Own("public class F { public F(int x) { } }", "int", "it has no public constructor without parameters"),
        Own("public class F { internal F() { } }", "int", "it has no public constructor without parameters"),
        Own("file class F { }", "int", "other files cannot name it"),
        Own("public class F : Plain<string> { }", "int", "it does not implement IPacketFormatter<int>"),
        Own("public class F : Plain<string> { }", "string", "make 'X' nullable or give it an initializer"),
        Own("public class F<T> : Plain<T> { }", "int", "it lacks its type arguments", "F<>"),
        Union("TRANSPORT001", "[PacketUnion(0, typeof(Circle))] public abstract record {|Shape|};", "Make 'Shape' partial"),
        Union("TRANSPORT002", "public sealed partial class C<T> { [PacketUnion(0, null!)] public abstract partial record {|S|}; }", "generic"),
        Union("TRANSPORT013", Of("0, typeof(Circle)", "{ public int {|PacketFormatter|}; }"), "has a member 'PacketFormatter' already"),
        Union("TRANSPORT014", S + "[PacketObject] partial record A({|B|} X) : S; [PacketObject] partial record B(S X) : S;", "make 'X'"),
        Union("TRANSPORT023", "[PacketUnion(0, typeof(Circle))] public sealed partial record {|Shape|};", "'Shape' is not abstract: a union is"),
        Union("TRANSPORT023", "[PacketUnion(0, null!)] public static partial class {|U|} { }", "'U' is static"),
        Union("TRANSPORT023", "[PacketUnion(0, null!)] file abstract partial class {|U|} { }", "'U' is local to its file"),
        Union("TRANSPORT023", "[PacketObject, PacketUnion(0, null!)] public sealed partial class {|U|};", "'U' is not abstract"),
        Union("TRANSPORT023", "[PacketObject, PacketUnion(0, null!)] abstract partial class {|U|};", "'U' is marked [PacketObject] too"),
        Union("TRANSPORT023", "[Packet(1024), PacketUnion(0, null!)] abstract partial class {|U|};", "'U' is marked [Packet] too"),
        Union("TRANSPORT024", Of("{|-1|}, typeof(Circle)"), "'Circle' cannot have the number -1 in 'Shape': the numbers of cases"),
        Union("TRANSPORT024", Of("type: typeof(Circle), {|number: -1|}"), "cannot have the number -1"),
        Union("TRANSPORT025", Two("{|0|}, typeof(Square)"), "'Square' cannot have the number 0 in 'Shape': 'Circle' has it already"),
        Union("TRANSPORT025", Two("1, {|typeof(Circle)|}"), "'Circle' cannot have the number 1 in 'Shape': it has the number 0 already"),
        Union("TRANSPORT026", Of("0, {|typeof(Other)|}"), "'Other' cannot be a case of 'Shape': it is not derived from 'Shape'"),
        Union("TRANSPORT026", Of("0, {|typeof(Shape)|}"), "'Shape' cannot be a case of 'Shape': it is not derived from 'Shape'"),
        Union("TRANSPORT026", Of("0, {|typeof(Bare)|}"), "'Bare' cannot be a case of 'Shape': it is not marked [PacketObject]"),
        Union("TRANSPORT026", Of("0, {|typeof(Half<int>)|}"), "'Half<int>' cannot be a case of 'Shape': it is generic"),
        Union("TRANSPORT026", Of("0, {|typeof(Half<>)|}"), "it is generic"),
        Union("TRANSPORT026", Of("0, {|typeof(Circle[])|}"), "'Circle[]' cannot be a case of 'Shape': a case is a class, record or struct"),
        Union("TRANSPORT026", Of("0, {|null!|}"), "'null' cannot be a case of 'Shape'"),
        Union("TRANSPORT026", Of("0, {|typeof(Local)|}"), "other files cannot name it; make it public or internal"),
        Union("TRANSPORT026", "[PacketUnion(0, {|typeof(Other)|})] public partial interface I;", "it does not implement 'I'"),
        Case("TRANSPORT027", "[Service(2000)] public interface {|I|}<T> { Task A(); }", "'I<T>' cannot be a service: it is generic"),
        Case("TRANSPORT027", "public class C { [Service(2000)] public interface {|I|} { Task A(); } }", "it stands inside another type"),
        Case("TRANSPORT027", "[Service(2000)] file interface {|I|} { Task A(); }", "it is local to its file"),
        Case("TRANSPORT027", "[Service(2000)] public interface {|I|} : IDisposable { Task A(); }", "it inherits 'IDisposable'"),
        Case("TRANSPORT027", "[Service(2000)] public partial interface {|I|} { Task A(); } partial interface I { Task B(); }",
            "its methods stand in several parts of it"),
        Case("TRANSPORT027", "[Service(2000)] public interface {|IArtifacts|} { Task A(); } public class ArtifactsClient { }",
            "there is a type 'ArtifactsClient' already"),
        Case("TRANSPORT027", "[Service({|1023|})] public interface I { Task A(); }",
            "its methods have the numbers 1023 to 1023, and allowed are 1024 to 65535"),
        Case("TRANSPORT027", "[Service({|65535|})] public interface I { Task A(); Task B(); }", "the numbers 65535 to 65536"),
        Case("TRANSPORT028", "[Service(2000)] public interface I { int {|A|}(); }",
            "'A' of 'I' cannot be called across a link: it returns int: let it return Task, a Task of a value, or IAsyncEnumerable"),
        Case("TRANSPORT028", "[Service(2000)] public interface I { ValueTask<int> {|A|}(); }", "it returns ValueTask<int>"),
        Case("TRANSPORT028", "[Service(2000)] public interface I { int {|A|} { get; } }", "it is a property, and a call is a method"),
        Case("TRANSPORT028", "[Service(2000)] public interface I { event Action {|A|}; }", "it is an event"),
        Case("TRANSPORT028", "[Service(2000)] public interface I { Task {|Lane|}(); }", "its client has a property of that name"),
        Case("TRANSPORT028", "[Service(2000)] public interface I { Task {|A|}<T>(); }", "it is generic"),
        Case("TRANSPORT028", "[Service(2000)] public interface I { Task {|A|}(ref int x); }", "'x' is passed by reference"),
        Case("TRANSPORT028", "[Service(2000)] public interface I { Task {|A|}(CancellationToken stop, int x); }", "put it last"),
        Case("TRANSPORT005", "[Service(2000)] public interface I { Task A({|object|} x); }", "'x' has type 'object', which cannot travel"),
        Case("TRANSPORT005", "[Service(2000)] public interface I { {|Task<Type>|} A(); }", "'result' has type 'Type'"),
        Case("TRANSPORT005", "[Service(2000)] public interface I { {|IAsyncEnumerable<object>|} A(); }", "'result' has type 'object'"),
        Case("TRANSPORT005", "[Service(2000)] public interface I { Task A({|IProgress<int>|} x); }", "'x' has type 'IProgress<int>'"),
        Case("TRANSPORT004", "[Service({|2000|})] public interface I { Task A(); Task B(); } "
            + "[Packet(2001)] public sealed partial record P(int X);",
            "Packet 'I.B' has number 2001, which 'P' has already"),
        Case("TRANSPORT021", "[Packet(1024)] public sealed partial class {|P|} { internal int A { get; set; } }",
            "Nothing of 'P' travels: 'A' is not public"),
        Case("TRANSPORT021", "[PacketObject] public sealed partial class {|P|} { private readonly int _a = 3; public int A => _a; }",
            "'_a' is not public"),
    ];

    [TestCaseSource(nameof(Cases))]
    public void It_is_said_at_the_right_place(string id, string marked, string words)
    {
        int start = marked.IndexOf("{|", System.StringComparison.Ordinal);
        int end = marked.IndexOf("|}", System.StringComparison.Ordinal) - 2;
        string source = Usings + marked.Replace("{|", "").Replace("|}", "");
        Diagnostic said = Compiler.Run(source).Said.First(d => d.Id == id);
        int offset = Usings.Length;
        Assert.That(source.Substring(said.Location.SourceSpan.Start, said.Location.SourceSpan.Length),
            Is.EqualTo(marked.Substring(start + 2, end - start)));
        Assert.That(said.Location.SourceSpan.Start, Is.EqualTo(start + offset));
        Assert.That(said.Location.GetLineSpan().StartLinePosition.Line, Is.EqualTo(1));
        Assert.That(said.GetMessage(), Does.Contain(words));
        Assert.That(said.DefaultSeverity,
            Is.EqualTo(id is "TRANSPORT016" or "TRANSPORT021" or "TRANSPORT038" ? DiagnosticSeverity.Warning : DiagnosticSeverity.Error));
    }

    [Test]
    public void An_old_language_is_said()
    {
        Compiler.Outcome outcome =
            Compiler.Run(LanguageVersion.CSharp8, Usings + "[Packet(1024)] public sealed partial class A { public int X { get; set; } }");
        Assert.That(outcome.Said.Select(d => d.Id), Is.EqualTo(new[] { "TRANSPORT017" }));
        outcome = Compiler.Run(LanguageVersion.CSharp9, Usings
            + "[Packet(1024)] public sealed partial class A { public int X { get; set; } public List<int?> Y { get; set; } = new List<int?>(); }");
        Assert.That(outcome.Said, Is.Empty);
        Assert.That(outcome.Compiler, Is.Empty);
    }

    [TestCase(LanguageVersion.CSharp8, "TRANSPORT017")]
    [TestCase(LanguageVersion.CSharp9)]
    public void A_service_needs_the_language_that_packets_need(LanguageVersion version, params string[] said)
    {
        Compiler.Outcome outcome = Compiler.Run(version, Usings + "[Service(2000)] public interface IFiles { Task<string?> FindAsync(int "
            + "at = 3, CancellationToken stop = default); IAsyncEnumerable<int> AllAsync(); Task ClearAsync(); }");
        Assert.That(outcome.Said.Select(d => d.Id), Is.EqualTo(said));
        Assert.That(outcome.Compiler, Is.Empty);
    }

    [Test]
    public void Every_rule_has_a_case()
    {
        IEnumerable<string> ids = typeof(PacketGenerator).Assembly.GetType("Transport.Generator.Model.Rules")!.GetFields()
            .Select(f => ((DiagnosticDescriptor)f.GetValue(null)!).Id);

        // The last are the analyzers': their cases are those of IgnoredAnswerTests, HandlerWarningTests and MessagePackHintTests.
        Assert.That(ids.Except(Cases.Select(c => (string)c.Arguments[0]!)),
            Is.EquivalentTo(new[] { "TRANSPORT017", "TRANSPORT099", "TRANSPORT030", "TRANSPORT031", "TRANSPORT032",
                "TRANSPORT033", "TRANSPORT034", "TRANSPORT035", "TRANSPORT036", "TRANSPORT037" }));
    }

    [Test]
    public void One_wrong_packet_does_not_stop_the_others()
    {
        Compiler.Outcome outcome =
            Compiler.Run(Usings + "[Packet(1024)] public record A(int X);\n[Packet(1025)] public sealed partial record B(int X);");
        Assert.That(outcome.Said.Select(d => d.Id), Is.EqualTo(new[] { "TRANSPORT001" }));
        Assert.That(outcome.Sources, Has.Count.EqualTo(1));
        Assert.That(outcome.Compiler, Is.Empty);
    }

    [Test]
    public void A_number_may_be_taken_over_files()
    {
        Compiler.Outcome outcome = Compiler.Run(Usings + "namespace X { [Packet(1024)] public sealed partial record A(int X); }", Usings
            + "namespace Y { [Packet(1024)] public sealed partial record A(int X); }");
        Assert.That(outcome.Said.Single().GetMessage(), Does.Contain("'Y.A' has number 1024, which 'X.A' has already"));
        Assert.That(outcome.Said.Single().Location.GetLineSpan().Path, Is.EqualTo("File1.cs"));
    }

    /// <summary>A field with a formatter that does not fit.</summary>
    private static TestCaseData Own(string formatter, string type, string words, string name = "F")
    {
        const string Plain = " public class Plain<T> : IPacketFormatter<T> { "
            + "public void Write(System.Buffers.IBufferWriter<byte> o, T p) { } "
            + "public T Read(in System.Buffers.ReadOnlySequence<byte> b) => default!; }";
        string packet = $"[Packet(1024)] public sealed partial record A([{{|PacketField(Formatter = typeof({name}))|}}] {type} X); ";
        return Case("TRANSPORT022", packet + formatter + Plain, words);
    }

    /// <summary>A union beside types that are cases of it, or are none.</summary>
    private static TestCaseData Union(string id, string marked, string words) => Case(
        id,
        marked
            + " [PacketObject] public sealed partial record Circle(int X) : Shape; [PacketObject] public sealed partial record Square(int X) : Shape;"
            + " [PacketObject] public sealed partial record Other(int X); public record Bare(int X) : Shape; public record Half<T>(T X) : Shape;"
            + " [PacketObject] file partial record Local(int X) : Shape;",
        words);

    private static string Of(string union, string body = ";") => $"[PacketUnion({union})] public abstract partial record Shape{body}";

    private static string Two(string second) =>
        $"[PacketUnion(0, typeof(Circle))][PacketUnion({second})] public abstract partial record Shape;";

    /// <summary>A list of lists, so many of them.</summary>
    private static string Lists(int deep) => Times("List<", deep) + "int" + Times(">", deep);

    /// <summary>Objects that each hold the next.</summary>
    private static string Chain(int count) =>
        string.Concat(Enumerable.Range(1, count)
            .Select(i => $"[PacketObject] public sealed partial record O{i}({(i < count ? $"O{i + 1} X" : "int X")}); "));

    private static string Times(string text, int count) => string.Concat(Enumerable.Repeat(text, count));

    private static TestCaseData Case(string id, string marked, string words) =>
        new TestCaseData(id, marked, words).SetName($"{id}: {(marked.Length < 400 ? marked : marked.Substring(0, 100) + "… " + words)}");
}
