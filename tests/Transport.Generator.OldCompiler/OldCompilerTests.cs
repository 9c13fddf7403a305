using System;
using System.Collections.Immutable;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using NUnit.Framework;
using Transport.Generator.Analysis;

namespace Transport.Generator.OldCompiler;

/// <summary>The generator and the analyzers run in the compiler of the .NET 8 SDK, the oldest one that they support.</summary>
internal sealed class OldCompilerTests
{
    private const string Source = """
        using System.Collections.Generic;
        using Transport;

        [Packet(1024)]
        public sealed partial record Artifact(string Path, long Bytes, IReadOnlyList<string> Tags, string? Hash = null);

        [Service(2000)]
        public interface IArtifacts
        {
            System.Threading.Tasks.Task<Artifact?> FindAsync(string path, System.Threading.CancellationToken stop = default);

            IAsyncEnumerable<Artifact> AllAsync();
        }

        public static class Use
        {
            public static void Send(Link link) => link.TrySend(new Artifact("a", 1, new[] { "b" }));

            public static PacketRouter Handle(System.Threading.Tasks.Task task) => new PacketRouter().On<Artifact>(a => task.Wait());
        }
        """;

    [Test]
    public async Task Generator_and_analyzers_run_in_the_compiler_of_the_NET_8_SDK()
    {
        Assert.That(typeof(CSharpCompilation).Assembly.GetName().Version, Is.EqualTo(new Version(4, 8, 0, 0)));
        var options = new CSharpParseOptions(LanguageVersion.CSharp12);
        var compilation = CSharpCompilation.Create(
            "Old",
            [CSharpSyntaxTree.ParseText(Source, options)],
            [
                .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
                    .Where(file => Path.GetFileName(file) is var name && (name is "Transport.dll" or "netstandard.dll" or "mscorlib.dll"
                        || name.StartsWith("System.", StringComparison.Ordinal)))
                    .Select(file => MetadataReference.CreateFromFile(file)),
            ],
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));
        _ = CSharpGeneratorDriver.Create([new PacketGenerator().AsSourceGenerator()], parseOptions: options)
            .RunGeneratorsAndUpdateCompilation(compilation, out Compilation whole, out ImmutableArray<Diagnostic> said);
        Assert.That(said.Concat(whole.GetDiagnostics()).Where(d => d.Severity >= DiagnosticSeverity.Warning), Is.Empty);
        ImmutableArray<Diagnostic> warnings = await whole.WithAnalyzers([new SendResultAnalyzer(), new HandlerAnalyzer()])
            .GetAnalyzerDiagnosticsAsync();
        Assert.That(warnings.Select(w => w.Id), Is.EquivalentTo(new[] { "TRANSPORT030", "TRANSPORT031" }));
    }
}
