using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Transport.Generator.Model;

namespace Transport.Generator.Analysis;

/// <summary>The declaration of a packet or union: whether generated code can be added to it, and what that code stands in.</summary>
internal sealed class Declaration(INamedTypeSymbol type, TypeDeclarationSyntax syntax, List<DiagnosticInfo> messages)
{
    /// <summary>Gets the place of the type's name.</summary>
    public Location Place => syntax.Identifier.GetLocation();

    /// <summary>Gets a value indicating whether the type, or one around it, is local to its file.</summary>
    public bool IsFileLocal => Outer().Prepend(syntax).Any(part => part.Modifiers.Any(m => m.ValueText == "file"));

    private string TypeName => Names.People(type);

    /// <summary>Reports what keeps the generator from adding members to the type.</summary>
    /// <param name="added">The names of those members.</param>
    public void Check(params string[] added)
    {
        CheckLanguage();
        if (type.IsGenericType)
        {
            Say(Place, Rules.Generic, TypeName);
        }

        foreach (TypeDeclarationSyntax part in Outer().Prepend(syntax))
        {
            if (!part.Modifiers.Any(SyntaxKind.PartialKeyword))
            {
                Say(part.Identifier.GetLocation(), Rules.NotPartial, part.Identifier.ValueText);
            }
        }

        foreach (string name in added)
        {
            ISymbol? taken = type.Name == name ? type : type.GetMembers(name).FirstOrDefault();
            if (taken is not null)
            {
                Say(taken.Locations.FirstOrDefault(), Rules.NameTaken, TypeName, name);
            }
        }
    }

    /// <summary>Reports a language that is too old for generated code.</summary>
    public void CheckLanguage()
    {
        if (syntax.SyntaxTree.Options is CSharpParseOptions { LanguageVersion: < LanguageVersion.CSharp9 })
        {
            Say(Place, Rules.OldLanguage, TypeName);
        }
    }

    /// <summary>Describes what the generated code stands in.</summary>
    public ShellModel ToShell() => new(
        type.ContainingNamespace.IsGlobalNamespace ? string.Empty : Spaces(type.ContainingNamespace),
        new EquatableArray<string>([.. Outer().Reverse().Select(o => $"partial {Keyword(o)} {Names.Code(o.Identifier.ValueText)}")]),
        Keyword(syntax),
        Names.Code(type.Name),
        Names.Code(type),
        type.ToDisplayString());

    /// <summary>A namespace as a declaration names it.</summary>
    public static string Spaces(INamespaceSymbol space) =>
        space.ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat.WithGlobalNamespaceStyle(SymbolDisplayGlobalNamespaceStyle.Omitted));

    private static string Keyword(TypeDeclarationSyntax type) =>
        type is RecordDeclarationSyntax record && record.ClassOrStructKeyword.IsKind(SyntaxKind.StructKeyword)
            ? "record struct"
            : type.Keyword.ValueText;

    private IEnumerable<TypeDeclarationSyntax> Outer() => syntax.Ancestors().OfType<TypeDeclarationSyntax>();

    private void Say(Location? place, DiagnosticDescriptor rule, params string[] arguments) =>
        messages.Add(DiagnosticInfo.At(place, rule, arguments));
}
