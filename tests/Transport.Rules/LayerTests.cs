using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using NUnit.Framework;

namespace Transport.Rules;

/// <summary>A layer names only layers below it, judged by the types that its code names.</summary>
internal sealed class LayerTests
{
    [TestCaseSource(typeof(Package), nameof(Package.All))]
    public void Every_planned_layer_exists_and_every_layer_is_planned(Package package)
    {
        string[] layers = [.. package.Files.Select(package.LayerOf).Distinct().Order(StringComparer.Ordinal)];
        Assert.That(layers, Is.EqualTo(package.Layers.Order(StringComparer.Ordinal)),
            $"the layers of {package.Name}, as planned in Package.Plans");
    }

    [Test]
    public void A_layer_names_only_layers_below_it() =>
        Departures.MustBeNone(Package.All.SelectMany(Upward), "Move the type down, or the code that names it up.");

    private static IEnumerable<KeyValuePair<string, int>> Upward(Package package)
    {
        ILookup<int, string> declared = package.Trees.SelectMany(tree => Declared(tree).Select(name => (Layer: LayerOf(tree), Name: name)))
            .ToLookup(one => one.Layer, one => one.Name);
        HashSet<string>[] above = [.. package.Layers.Select((_, own) =>
            declared.Where(layer => layer.Key > own).SelectMany(names => names).ToHashSet(StringComparer.Ordinal))];
        foreach (SyntaxTree tree in package.Trees)
        {
            SemanticModel model = package.ModelOf(tree);
            int own = LayerOf(tree);
            HashSet<string> aliases = [.. tree.GetRoot().DescendantNodes().OfType<UsingDirectiveSyntax>()
                .Select(directive => directive.Alias?.Name.Identifier.ValueText).OfType<string>()];

            // What a name means takes the compiler long to find out: it is asked of those alone that something above has too.
            IEnumerable<string> named =
                from name in tree.GetRoot().DescendantNodes(descendIntoTrivia: false).OfType<SimpleNameSyntax>()
                where above[own].Contains(name.Identifier.ValueText) || aliases.Contains(name.Identifier.ValueText)
                let type = TypeOf(model.GetSymbolInfo(name).Symbol)
                where type is not null
                let file = type.DeclaringSyntaxReferences.Select(r => r.SyntaxTree.FilePath).FirstOrDefault()
                where file is not null
                let layer = package.LayerOf(file)
                where Array.IndexOf(package.Layers, layer) > own
                select $"{tree.FilePath} names {type.Name} ({layer})";
            foreach (string departure in named.Distinct())
            {
                yield return KeyValuePair.Create(departure, 1);
            }
        }

        int LayerOf(SyntaxTree tree) => Array.IndexOf(package.Layers, package.LayerOf(tree.FilePath));
    }

    /// <summary>Gives the names of all that a file declares, those of attributes also as they are written where they are used.</summary>
    private static IEnumerable<string> Declared(SyntaxTree tree)
    {
        const string Suffix = "Attribute";
        foreach (SyntaxToken token in tree.GetRoot().DescendantTokens().Where(token => token.IsKind(SyntaxKind.IdentifierToken)
            && token.Parent is BaseTypeDeclarationSyntax or DelegateDeclarationSyntax or MethodDeclarationSyntax
                or PropertyDeclarationSyntax or EventDeclarationSyntax or VariableDeclaratorSyntax or EnumMemberDeclarationSyntax
                or ParameterSyntax))
        {
            yield return token.ValueText;
            if (token.ValueText.EndsWith(Suffix, StringComparison.Ordinal))
            {
                yield return token.ValueText[..^Suffix.Length];
            }
        }
    }

    private static INamedTypeSymbol? TypeOf(ISymbol? symbol) => symbol switch
    {
        INamedTypeSymbol type => type.OriginalDefinition,
        IMethodSymbol or IPropertySymbol or IFieldSymbol or IEventSymbol => symbol.ContainingType?.OriginalDefinition,
        _ => null,
    };
}
