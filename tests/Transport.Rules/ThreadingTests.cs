using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using NUnit.Framework;

namespace Transport.Rules;

/// <summary>Shared state is rare, named, and locked by objects that nobody else can reach.</summary>
internal sealed class ThreadingTests
{
    /// <summary>Folders whose fenced accesses do not count: counters that are read without a lock, and memory that two processes
    /// map.</summary>
    private static readonly string[] Uncounted = ["/Diagnostics/", "/Tails/", "/CrashTail/"];

    /// <summary>The methods of Volatile and Interlocked, and the full fence.</summary>
    private static readonly HashSet<string> Calls =
        [.. typeof(Volatile).GetMethods().Concat(typeof(Interlocked).GetMethods()).Concat(typeof(Thread).GetMethods())
            .Select(method => method.Name).Where(name => !typeof(object).GetMethods().Any(inherited => inherited.Name == name))];

    /// <summary>The names of all volatile fields.</summary>
    private static readonly Lazy<HashSet<string>> VolatileFields = new(() =>
        [.. from package in Package.All
            from tree in package.Trees
            from field in tree.GetRoot().DescendantNodes().OfType<FieldDeclarationSyntax>()
            where field.Modifiers.Any(SyntaxKind.VolatileKeyword)
            from one in field.Declaration.Variables
            select one.Identifier.Text]);

    [Test]
    public void Each_field_with_fenced_accesses_names_its_protocol()
    {
        IEnumerable<KeyValuePair<string, int>> silent =
            from package in Package.All
            from tree in package.Trees.Where(IsCounted)
            let model = package.ModelOf(tree)
            from field in Fenced(model).Select(node => FieldOf(node, model)).OfType<IFieldSymbol>()
                .Distinct<IFieldSymbol>(SymbolEqualityComparer.Default)
            let declared = field.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax().FirstAncestorOrSelf<FieldDeclarationSyntax>()
            where declared is not null && !HasComment(declared)
            group field by field.ToDisplayString() into one
            select KeyValuePair.Create(one.Key, 1);
        Departures.MustBeNone(silent.DistinctBy(e
            => e.Key), "Say in one comment line at the field who writes it, who reads it, and what orders the two.");
    }

    [Test]
    public void Locks_are_on_objects_that_nobody_else_can_reach()
    {
        IEnumerable<KeyValuePair<string, int>> reachable =
            from package in Package.All
            from tree in package.Trees
            let model = package.ModelOf(tree)
            from statement in tree.GetRoot().DescendantNodes().OfType<LockStatementSyntax>()
            let symbol = model.GetSymbolInfo(statement.Expression).Symbol
            where !IsPrivateLock(symbol)
            group statement by $"{tree.FilePath}: lock ({statement.Expression})" into one
            select KeyValuePair.Create(one.Key, one.Count());
        Departures.MustBeNone(reachable, "Lock a private readonly object that is nothing but a lock.");
    }

    private static bool IsCounted(SyntaxTree tree) => !Uncounted.Any(folder => tree.FilePath.Contains(folder, StringComparison.Ordinal));

    private static bool IsPrivateLock(ISymbol? symbol) =>
        symbol is IFieldSymbol { DeclaredAccessibility: Accessibility.Private, IsReadOnly: true } field
        && (field.Type.SpecialType == SpecialType.System_Object || field.Type.Name == "Lock");

    /// <summary>Returns the places that order memory: calls of Volatile and Interlocked, full fences, and accesses of volatile
    /// fields.</summary>
    private static IEnumerable<SyntaxNode> Fenced(SemanticModel model)
    {
        SyntaxNode root = model.SyntaxTree.GetRoot();
        foreach (SimpleNameSyntax name in root.DescendantNodes().OfType<SimpleNameSyntax>())
        {
            // Only names that may be one: asking what each name means takes a minute.
            if (!Calls.Contains(name.Identifier.Text) && !VolatileFields.Value.Contains(name.Identifier.Text))
            {
                continue;
            }

            ISymbol? symbol = model.GetSymbolInfo(name).Symbol;
            bool call = symbol is IMethodSymbol { ContainingType: { Name: "Volatile" or "Interlocked" } type }
                && type.ContainingNamespace.ToDisplayString() == "System.Threading";
            if (call || symbol is IMethodSymbol { Name: "MemoryBarrier" } || symbol is IFieldSymbol { IsVolatile: true })
            {
                yield return name;
            }
        }
    }

    private static IFieldSymbol? FieldOf(SyntaxNode node, SemanticModel model)
    {
        if (model.GetSymbolInfo(node).Symbol is IFieldSymbol field)
        {
            return field;
        }

        ArgumentSyntax? first = node.FirstAncestorOrSelf<InvocationExpressionSyntax>()?.ArgumentList.Arguments.FirstOrDefault();
        ExpressionSyntax? target = first?.Expression is ElementAccessExpressionSyntax element ? element.Expression : first?.Expression;
        return target is null ? null : model.GetSymbolInfo(target).Symbol as IFieldSymbol;
    }

    private static bool HasComment(FieldDeclarationSyntax field) =>
        field.GetLeadingTrivia().Concat(field.GetTrailingTrivia()).Concat(field.SemicolonToken.TrailingTrivia)
            .Any(t => t.IsKind(SyntaxKind.SingleLineCommentTrivia) || t.IsKind(SyntaxKind.SingleLineDocumentationCommentTrivia));
}
