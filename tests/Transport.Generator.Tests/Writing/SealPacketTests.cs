using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using NUnit.Framework;
using Transport.CodeFixes;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Writing;

/// <summary>A packet that is not sealed lost the fields of what was derived from it, silently; an editor seals it.</summary>
internal sealed class SealPacketTests
{
    [TestCase("public partial record A(int X);", "public sealed partial record A(int X);")]
    [TestCase("internal partial class A { public int X { get; set; } }", "internal sealed partial class A { public int X { get; set; } }")]
    [TestCase("partial class A { public int X { get; set; } }", "sealed partial class A { public int X { get; set; } }")]
    public async Task The_fix_seals_the_type_and_ends_the_warning(string type, string sealedType)
    {
        string source = "using Transport;\n\n[Packet(1024)]\n" + type + "\n";
        Diagnostic warning = Said(source).Single();
        Assert.That((warning.Id, warning.DefaultSeverity), Is.EqualTo(("TRANSPORT038", DiagnosticSeverity.Warning)));
        using var workspace = new AdhocWorkspace();
        Document document = workspace.AddProject("Sample", LanguageNames.CSharp).AddDocument("File0.cs", source);
        List<CodeAction> actions = [];
        var context = new CodeFixContext(
            document, warning.Location.SourceSpan, [warning], (action, _) => actions.Add(action), CancellationToken.None);
        var fix = new SealPacket();
        Assert.That(fix.FixableDiagnosticIds, Is.EqualTo(new[] { "TRANSPORT038" }));
        await fix.RegisterCodeFixesAsync(context);
        Assert.That(actions.Single().Title, Is.EqualTo("Seal the type"));
        var changed = (ApplyChangesOperation)(await actions.Single().GetOperationsAsync(CancellationToken.None)).Single();
        string after = (await changed.ChangedSolution.GetDocument(document.Id)!.GetTextAsync()).ToString();
        Assert.That(after, Is.EqualTo("using Transport;\n\n[Packet(1024)]\n" + sealedType + "\n"));
        Assert.That(Said(after), Is.Empty);
    }

    [TestCase("[Packet(1024)] public partial record struct A(int X);")]
    [TestCase("[PacketUnion(0, typeof(A))] public abstract partial record S; [PacketObject] public sealed partial record A(int X) : S;")]
    [TestCase("[PacketUnion(0, typeof(A)), PacketUnion(1, typeof(B))] public abstract partial record S; [PacketObject] public partial record "
        + "A : S; [PacketObject] public sealed partial record B : A;")]
    [TestCase("[Packet(1024)] public partial record A(int X); public sealed partial record A;")]
    public void What_cannot_be_derived_from_is_fine(string source) => Assert.That(Said("using Transport;\n" + source), Is.Empty);

    private static IReadOnlyList<Diagnostic> Said(string source) => Compiler.Run(source).Said;
}
