using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using NUnit.Framework;

namespace Transport.Generator.Tests.Kit;

/// <summary>Runs the generator over source code, as the compiler does.</summary>
internal static class Compiler
{
    /// <summary>The samples have no documentation; what is generated must.</summary>
    private const string Undocumented = "CS1591";

    private static readonly MetadataReference[] References =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(f => Path.GetFileName(f) is var name
                && (name.StartsWith("System.", StringComparison.Ordinal) || name is "netstandard.dll" or "mscorlib.dll"))
            .Append(typeof(PacketType).Assembly.Location)
            .Append(typeof(Journal.JournalReader).Assembly.Location)
            .Select(f => MetadataReference.CreateFromFile(f)),
    ];

    public static CSharpCompilation Compile(LanguageVersion version, params string[] sources) => CSharpCompilation.Create(
        "Sample",
        sources.Select((s, i) => Parse(s, $"File{i}.cs", version)),
        References,
        new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable,
            generalDiagnosticOption: ReportDiagnostic.Error));

    public static SyntaxTree Parse(string source, string file, LanguageVersion version = LanguageVersion.Latest) =>
        CSharpSyntaxTree.ParseText(source, new CSharpParseOptions(version, DocumentationMode.Diagnose), file);

    public static GeneratorDriver Driver(CSharpCompilation compilation) => CSharpGeneratorDriver.Create(
        [new PacketGenerator().AsSourceGenerator()],
        parseOptions: (CSharpParseOptions?)compilation.SyntaxTrees.FirstOrDefault()?.Options,
        driverOptions: new GeneratorDriverOptions(IncrementalGeneratorOutputKind.None, trackIncrementalGeneratorSteps: true));

    /// <summary>Runs the generator and compiles what comes out.</summary>
    public static Outcome Run(params string[] sources) => Run(LanguageVersion.Latest, sources);

    public static Outcome Run(LanguageVersion version, params string[] sources)
    {
        CSharpCompilation compilation = Compile(version, sources);
        GeneratorDriverRunResult result = Driver(compilation).RunGeneratorsAndUpdateCompilation(compilation, out Compilation after, out _)
            .GetRunResult();
        Assert.That(result.Results[0].Exception, Is.Null);
        return new Outcome(
            [.. result.Diagnostics],
            Shown(Strict(after)),
            Shown(after),
            [.. result.Results[0].GeneratedSources.Select(s => s.SourceText.ToString())]);
    }

    private static IReadOnlyList<Diagnostic> Shown(Compilation compilation) =>
        [.. compilation.GetDiagnostics().Where(d => d.Severity >= DiagnosticSeverity.Warning
            && (d.Id != Undocumented || d.Location.SourceTree?.FilePath.StartsWith("File", StringComparison.Ordinal) != true))];

    /// <summary>Users see no warnings in what is generated; here they count, but for those that are meant.</summary>
    private static Compilation Strict(Compilation compilation)
    {
        foreach (SyntaxTree tree in compilation.SyntaxTrees)
        {
            string code = tree.ToString();
            string strict = code.Replace("#nullable enable annotations\n", "#nullable enable\n")
                .Replace("#pragma warning disable //", "#pragma warning disable CS0108, CS0612, CS0618 //");
            compilation = strict == code ? compilation
                : compilation.ReplaceSyntaxTree(tree, CSharpSyntaxTree.ParseText(strict, (CSharpParseOptions)tree.Options, tree.FilePath));
        }

        return compilation;
    }

    /// <summary>Builds a library without the generator.</summary>
    public static MetadataReference Image(string source)
    {
        using var image = new MemoryStream();
        Assert.That(Compile(LanguageVersion.Latest, source).WithOptions(new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary))
            .WithAssemblyName("Other").Emit(image).Success, Is.True);
        return MetadataReference.CreateFromImage(image.ToArray());
    }

    /// <summary>What the generator says of a source that uses a library.</summary>
    public static Diagnostic[] Said(MetadataReference library, string source)
    {
        CSharpCompilation compilation = Compile(LanguageVersion.Latest, source).AddReferences(library);
        return [.. Driver(compilation).RunGenerators(compilation).GetRunResult().Diagnostics];
    }

    /// <summary>What came of a run.</summary>
    /// <param name="Said">What the generator says.</param>
    /// <param name="Compiler">What the compiler says, and would say of the generated code if that did not forbid it.</param>
    /// <param name="Shown">What the compiler says to a user.</param>
    /// <param name="Sources">The generated code.</param>
    internal sealed record Outcome(
        IReadOnlyList<Diagnostic> Said, IReadOnlyList<Diagnostic> Compiler, IReadOnlyList<Diagnostic> Shown, IReadOnlyList<string> Sources);
}
