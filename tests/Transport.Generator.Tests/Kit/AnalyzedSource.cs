using System;
using System.Collections.Immutable;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using NUnit.Framework;

namespace Transport.Generator.Tests.Kit;

/// <summary>A statement that an analyzer looks at, within a source that it completes at BODY. The part in {|…|} is what should be
/// marked.</summary>
/// <param name="around">The source with BODY in it.</param>
/// <param name="body">The statement.</param>
internal sealed class AnalyzedSource(string around, string body)
{
    /// <summary>Gets the part that should be marked.</summary>
    public string Marked
    {
        get
        {
            int start = body.IndexOf("{|", StringComparison.Ordinal) + 2;
            return body.Substring(start, body.IndexOf("|}", StringComparison.Ordinal) - start);
        }
    }

    /// <summary>Returns the part of the source that a message marks.</summary>
    public static string MarkedBy(Diagnostic message) =>
        message.Location.SourceTree!.ToString().Substring(message.Location.SourceSpan.Start, message.Location.SourceSpan.Length);

    /// <summary>Returns what an analyzer says of it. It must compile.</summary>
    public async Task<ImmutableArray<Diagnostic>> RunAsync(DiagnosticAnalyzer analyzer)
    {
        string source = around.Replace("BODY", body.Replace("{|", string.Empty).Replace("|}", string.Empty));
        CSharpCompilation compilation = Compiler.Compile(LanguageVersion.Latest, source);
        compilation = compilation.WithOptions(compilation.Options.WithGeneralDiagnosticOption(ReportDiagnostic.Default));
        Assert.That(compilation.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error).Select(d => d.ToString()), Is.Empty);
        return await compilation.WithAnalyzers([analyzer]).GetAnalyzerDiagnosticsAsync();
    }
}
