using System.Linq;
using Microsoft.CodeAnalysis;

namespace Transport.Generator.Analysis;

/// <summary>What is Obsolete as an error: nothing but what is Obsolete itself may use it, and a field that nobody needs any more must go on
/// travelling.</summary>
internal static class Forbidden
{
    public static bool Is(Member member) =>
        IsMarked(member.Symbol) || Is(member.Type)
            || (member.Symbol is IPropertySymbol property && (IsMarked(property.GetMethod) || IsMarked(property.SetMethod)));

    public static bool IsMarked(ISymbol? symbol) =>
        symbol is not null && symbol.GetAttributes().Any(a => a.AttributeClass?.ToDisplayString() == "System.ObsoleteAttribute"
            && a.ConstructorArguments.Length == 2 && a.ConstructorArguments[1].Value is true);

    private static bool Is(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => Is(array.ElementType),
        INamedTypeSymbol named => IsMarked(named) || named.TypeArguments.Any(Is) || (named.ContainingType is { } outer && Is(outer)),
        _ => false,
    };
}
