using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using NUnit.Framework;
using Transport.Generator;

namespace Transport.Docs.Tests;

/// <summary>Every program that a page shows compiles as it is printed.</summary>
internal sealed class ProgramTests
{
    private static readonly MetadataReference[] References =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(file => Path.GetFileName(file) is var name && !name.StartsWith("Transport.Docs", StringComparison.Ordinal)
                && new[]
                    {
                        "System.", "Microsoft.Extensions.", "Microsoft.IO.", "Microsoft.Win32.", "MessagePack", "NATS.", "netstandard",
                        "mscorlib", "Transport",
                    }
                    .Any(start => name.StartsWith(start, StringComparison.Ordinal)))
            .Select(file => MetadataReference.CreateFromFile(file)),
    ];

    private static IEnumerable<TestCaseData> Programs =>
        from page in Page.WithPrograms
        from code in page.Programs.Select((code, index) => (Text: code, Number: index + 1))
        select new TestCaseData(code.Text).SetArgDisplayNames($"{page} {code.Number}");

    [TestCaseSource(nameof(Programs))]
    public void It_compiles_as_printed(string code)
    {
        var options = new CSharpParseOptions(LanguageVersion.Latest);
        SyntaxTree tree = CSharpSyntaxTree.ParseText(code, options);
        OutputKind kind = tree.GetRoot().ChildNodes().OfType<GlobalStatementSyntax>().Any()
            ? OutputKind.ConsoleApplication
            : OutputKind.DynamicallyLinkedLibrary;
        var compilation = CSharpCompilation.Create(
            "Shown", [tree], References, new CSharpCompilationOptions(kind, nullableContextOptions: NullableContextOptions.Enable));
        _ = CSharpGeneratorDriver.Create([new PacketGenerator().AsSourceGenerator()], parseOptions: options)
            .RunGeneratorsAndUpdateCompilation(compilation, out Compilation whole, out var said);
        Assert.That(said.Concat(whole.GetDiagnostics()).Where(d => d.Severity >= DiagnosticSeverity.Warning), Is.Empty);
    }

    [Test]
    public void Every_package_has_a_page_with_a_program() => Assert.That(
        Page.WithPrograms.Where(page => page.Name != "src/Transport.Tool/README.md"
            && !page.Programs.Any()),
        Is.Empty);
}
