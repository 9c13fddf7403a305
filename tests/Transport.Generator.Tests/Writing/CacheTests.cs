using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using NUnit.Framework;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Writing;

/// <summary>The generator writes again only what an edit has changed.</summary>
internal sealed class CacheTests
{
    private const string Packets = """
        using Transport;
        namespace Sample;
        [Packet(1024)] public sealed partial record A(int X, B Y);
        [PacketObject] public sealed partial record B(string Z, (int, System.Collections.Generic.HashSet<string>)[] T,
            [PacketField(Formatter = typeof(F))] F? O);
        public class F : IPacketFormatter<F>
        {
            public void Write(System.Buffers.IBufferWriter<byte> output, F packet) { }
            public F Read(in System.Buffers.ReadOnlySequence<byte> body) => this;
        }
        [PacketUnion(1, typeof(D))] [PacketUnion(0, typeof(C))] public abstract partial record U;
        [PacketObject] public sealed partial record C(U? X) : U;
        [PacketObject] public sealed partial record D : U;
        [Packet(1025)] public record Wrong(int X);
        """;

    private const string Other = "public class Unrelated { public int Y => 1; }";

    [Test]
    public void An_edit_elsewhere_runs_nothing_again()
    {
        (GeneratorDriver driver, CSharpCompilation compilation) = Start();
        SyntaxTree tree = compilation.SyntaxTrees[1];
        GeneratorRunResult result = Rerun(driver, compilation.ReplaceSyntaxTree(
            tree, Compiler.Parse("public class Unrelated { public long Y => 2; } public class More;", "File1.cs")));
        Assert.That(Reasons(result, PacketGenerator.ModelStep),
            Is.All.EqualTo(IncrementalStepRunReason.Cached).Or.EqualTo(IncrementalStepRunReason.Unchanged));
        Assert.That(Reasons(result, PacketGenerator.ModelStep), Has.Count.EqualTo(5));
        Assert.That(Outputs(result), Is.All.EqualTo(IncrementalStepRunReason.Cached));
        Assert.That(Outputs(result), Has.Count.GreaterThanOrEqualTo(7));
    }

    [Test]
    public void An_edit_above_in_the_same_file_writes_no_code_again()
    {
        (GeneratorDriver driver, CSharpCompilation compilation) = Start();
        SyntaxTree tree = compilation.SyntaxTrees[0];
        string moved = Packets.Replace("namespace Sample;", "namespace Sample;\n\n// a comment\npublic class Between { }\n");
        GeneratorRunResult result = Rerun(driver, compilation.ReplaceSyntaxTree(tree, Compiler.Parse(moved, "File0.cs")));
        Assert.That(
            Reasons(result, PacketGenerator.ModelStep),
            Is.All.EqualTo(IncrementalStepRunReason.Cached).Or.EqualTo(IncrementalStepRunReason.Unchanged));
        int line = result.Diagnostics.Single().Location.GetLineSpan().StartLinePosition.Line;
        Assert.That(line, Is.EqualTo(17), "the message moves with its line");
    }

    [Test]
    public void An_edit_of_a_packet_writes_that_one_alone()
    {
        (GeneratorDriver driver, CSharpCompilation compilation) = Start();
        SyntaxTree tree = compilation.SyntaxTrees[0];
        GeneratorRunResult result = Rerun(
            driver, compilation.ReplaceSyntaxTree(tree, Compiler.Parse(Packets.Replace("int X, B Y", "int X, B Y, int? New"), "File0.cs")));
        Assert.That(Reasons(result, PacketGenerator.ModelStep), Has.One.EqualTo(IncrementalStepRunReason.Modified));
        Assert.That(result.GeneratedSources.Single(
            s => s.HintName.StartsWith("Sample.A.", System.StringComparison.Ordinal)).SourceText.ToString(), Does.Contain("fieldNew"));
    }

    [Test]
    public void An_edit_of_a_case_writes_the_union_again_only_if_it_names_another()
    {
        (GeneratorDriver driver, CSharpCompilation compilation) = Start();
        SyntaxTree tree = compilation.SyntaxTrees[0];
        SyntaxTree grown = Compiler.Parse(Packets.Replace("record D :", "record D(int X) :"), "File0.cs");
        GeneratorRunResult result = Rerun(driver, compilation.ReplaceSyntaxTree(tree, grown));
        Assert.That(Reasons(result, PacketGenerator.ModelStep), Has.One.EqualTo(IncrementalStepRunReason.Modified));
        SyntaxTree other = Compiler.Parse(Packets.Replace("1, typeof(D)", "2, typeof(D)"), "File0.cs");
        result = Rerun(driver, compilation.ReplaceSyntaxTree(tree, other));
        Assert.That(Reasons(result, PacketGenerator.ModelStep), Has.One.EqualTo(IncrementalStepRunReason.Modified));
        GeneratedSourceResult union = result.GeneratedSources
            .Single(s => s.HintName.StartsWith("Sample.U.", System.StringComparison.Ordinal));
        Assert.That(union.SourceText.ToString(), Does.Contain("case 2:"));
    }

    private static (GeneratorDriver Driver, CSharpCompilation Compilation) Start()
    {
        CSharpCompilation compilation = Compiler.Compile(LanguageVersion.Latest, Packets, Other);
        GeneratorDriver driver = Compiler.Driver(compilation).RunGenerators(compilation);
        GeneratorRunResult first = driver.GetRunResult().Results[0];
        Assert.That(Reasons(first, PacketGenerator.ModelStep), Is.All.EqualTo(IncrementalStepRunReason.New));
        return (driver, compilation);
    }

    private static GeneratorRunResult Rerun(GeneratorDriver driver, CSharpCompilation compilation) =>
        driver.RunGenerators(compilation).GetRunResult().Results[0];

    private static List<IncrementalStepRunReason> Reasons(GeneratorRunResult result, string step) => Reasons(result.TrackedSteps[step]);

    private static List<IncrementalStepRunReason> Outputs(GeneratorRunResult result) =>
        Reasons(result.TrackedOutputSteps.SelectMany(s => s.Value));

    private static List<IncrementalStepRunReason> Reasons(IEnumerable<IncrementalGeneratorRunStep> steps) =>
        [.. steps.SelectMany(s => s.Outputs).Select(o => o.Reason)];
}
