using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using NUnit.Framework;

namespace Transport.Rules;

/// <summary>ARCHITECTURE lists what each package sees of another one's internals: all of it, and nothing else.</summary>
internal sealed class FriendTests
{
    private const string Title = "## What packages see of each other";

    [TestCaseSource(typeof(Package), nameof(Package.All))]
    public void The_page_lists_every_internal_that_a_package_uses(Package package) =>
        Assert.That(Listed(package.Name), Is.EqualTo(Used(package)),
            $"ARCHITECTURE's row of {package.Name}: add what is new with its reason, or do without; take out what is not used any more.");

    /// <summary>Returns the names in the second cells of the package's rows; <c>Type.Member</c> is an internal member of a public
    /// type.</summary>
    private static string[] Listed(string package)
    {
        string[][] rows = [.. Repository.Text("ARCHITECTURE.md").Split(Title)[1].Split("\n## ")[0].Split('\n')
            .Where(line => line.StartsWith("| ", StringComparison.Ordinal)).Select(line => line.Split('|'))];
        return [.. rows.Where(row => "Transport." + row[1].Trim() == package)
            .SelectMany(row => row[2].Split('`').Where((_, i) => i % 2 == 1))
            .Order(StringComparer.Ordinal)];
    }

    private static string[] Used(Package package)
    {
        var used = new SortedSet<string>(StringComparer.Ordinal);
        foreach (SyntaxTree tree in package.Trees)
        {
            SemanticModel model = package.ModelOf(tree);
            foreach (SimpleNameSyntax name in tree.GetRoot().DescendantNodes(descendIntoTrivia: false).OfType<SimpleNameSyntax>())
            {
                if (model.GetSymbolInfo(name).Symbol is { ContainingAssembly: { } home } symbol && home.Name != package.Name
                    && home.Name.StartsWith("Transport", StringComparison.Ordinal) && InternalName(symbol) is { } seen)
                {
                    used.Add(seen);
                }
            }
        }

        return [.. used];
    }

    /// <summary>Returns the outermost internal type that the symbol is, or is a member of; else its own name if it is internal.</summary>
    private static string? InternalName(ISymbol symbol)
    {
        INamedTypeSymbol? type = symbol as INamedTypeSymbol ?? symbol.ContainingType;
        while (type?.ContainingType is { } outer)
        {
            type = outer;
        }

        bool isInternal = symbol.DeclaredAccessibility is Accessibility.Internal or Accessibility.ProtectedOrInternal;
        return type is null ? null
            : type.DeclaredAccessibility != Accessibility.Public ? type.Name
            : isInternal ? $"{type.Name}.{symbol.Name}" : null;
    }
}
