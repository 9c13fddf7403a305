using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using NUnit.Framework;

namespace Transport.Rules;

/// <summary>Types, files and lines stay within a size that a reader can hold.</summary>
internal sealed class SizeTests
{
    private const int MostLines = 500;

    /// <summary>Types that may have 750 lines: one member for each kind of value, and nothing to think about between them.</summary>
    private static readonly string[] ByKindOfValue = ["Transport.PacketReader", "Transport.PacketWriter"];

    [Test]
    public void No_type_is_longer_than_500_lines_with_all_its_parts()
    {
        IEnumerable<KeyValuePair<string, int>> types =
            from package in Package.All
            from tree in package.Trees
            let model = package.Compilation.GetSemanticModel(tree)
            from node in tree.GetRoot().DescendantNodes(n => n is not TypeDeclarationSyntax).OfType<TypeDeclarationSyntax>()
            let name = model.GetDeclaredSymbol(node)!.ToDisplayString()
            group Lines(node) by name into parts
            let most = ByKindOfValue.Contains(parts.Key) ? 750 : MostLines
            where parts.Sum() > most
            select KeyValuePair.Create(parts.Key, parts.Sum());
        Departures.MustBeNone(types, "Split the type by what it does, not into more partial files.");
    }

    [Test]
    public void No_file_is_longer_than_500_lines()
    {
        IEnumerable<KeyValuePair<string, int>> files =
            from file in Repository.Files("*.cs", "src", "samples", "tests", "perf")
            let lines = Repository.Text(file).Count(c => c == '\n')
            where lines > MostLines
            select KeyValuePair.Create(file, lines);
        Departures.MustBeNone(files, "Split the file by what its types do.");
    }

    /// <summary>Counts a declaration's lines, its documentation and attributes included.</summary>
    private static int Lines(SyntaxNode node)
    {
        FileLinePositionSpan span = node.SyntaxTree.GetLineSpan(node.FullSpan);
        return node.ToFullString().Trim('\r', '\n').Count(c => c == '\n') + 1 is var lines && span.IsValid ? lines : 0;
    }
}
