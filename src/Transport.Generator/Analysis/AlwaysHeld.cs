using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Transport.Generator.Model;

namespace Transport.Generator.Analysis;

/// <summary>What every value of a type holds: the objects and unions of its fields that may not be null. Finds what has no end.</summary>
/// <remarks>An object holds all that its fields always hold; a union holds one of its cases.</remarks>
internal sealed class AlwaysHeld
{
    private readonly Dictionary<ISymbol, INamedTypeSymbol[]> _held = new(SymbolEqualityComparer.Default);

    /// <summary>Gets the objects and unions that a field always holds.</summary>
    public static IEnumerable<INamedTypeSymbol> In(Member member) => member.FormatterMark is null ? In(member.Type) : [];

    /// <summary>Whether a value of one type may hold one of the other, whatever may be null in it.</summary>
    public bool LeadsTo(INamedTypeSymbol from, INamedTypeSymbol to) => Around(from).Contains(to);

    /// <summary>Gets how many objects and unions stand inside each other in the smallest value of a type; null if there are always more
    /// than a packet may have, or no end.</summary>
    public int? DepthOf(INamedTypeSymbol type)
    {
        HashSet<INamedTypeSymbol> open = Around(type);
        for (int depth = 1; depth <= TypeClassifier.MostInside; depth++)
        {
            INamedTypeSymbol[] ended = [.. open.Where(t => IsEnded(t, open))];
            if (ended.Contains(type, SymbolEqualityComparer.Default))
            {
                return depth;
            }

            if (ended.Length == 0)
            {
                return null;
            }

            open.ExceptWith(ended);
        }

        return null;
    }

    /// <summary>Whether a value of a type may end here: none of what it holds is open.</summary>
    private bool IsEnded(INamedTypeSymbol type, HashSet<INamedTypeSymbol> open)
    {
        INamedTypeSymbol[] held = HeldBy(type);
        return IsUnion(type) && held.Length > 0 ? !held.All(open.Contains) : !held.Any(open.Contains);
    }

    /// <summary>Finds all types that are always held by a type, or by what it holds, and that type itself.</summary>
    private HashSet<INamedTypeSymbol> Around(INamedTypeSymbol type)
    {
        var found = new HashSet<INamedTypeSymbol>(SymbolEqualityComparer.Default) { type };
        var next = new Stack<INamedTypeSymbol>(found);
        while (next.Count > 0)
        {
            foreach (INamedTypeSymbol held in HeldBy(next.Pop()).Where(found.Add))
            {
                next.Push(held);
            }
        }

        return found;
    }

    private INamedTypeSymbol[] HeldBy(INamedTypeSymbol type)
    {
        if (!_held.TryGetValue(type, out INamedTypeSymbol[]? held))
        {
            held = type.DeclaringSyntaxReferences.IsEmpty ? [] : IsUnion(type) ? [.. UnionAnalysis.CasesOf(type)] : [.. Fields(type)];
            _held.Add(type, held);
        }

        return held;
    }

    private static IEnumerable<INamedTypeSymbol> Fields(INamedTypeSymbol type)
    {
        List<Member> members = Member.Of(type);
        Construction? making = Construction.Choose(type, members, out _);
        return members.Where(m => making is null || m.IsSettable || making.Arguments.Contains(m)).SelectMany(In);
    }

    /// <summary>Gets the objects and unions in each value of a type: itself, or those of a tuple. What may be null is left out.</summary>
    private static IEnumerable<INamedTypeSymbol> In(ITypeSymbol type)
    {
        if (type is not INamedTypeSymbol named || (!type.IsValueType && type.NullableAnnotation != NullableAnnotation.NotAnnotated))
        {
            return [];
        }

        if (TypeClassifier.IsTuple(named))
        {
            return named.TypeArguments.SelectMany(In);
        }

        return !named.IsGenericType && (TypeClassifier.IsObject(named) || TypeClassifier.IsUnion(named)) ? [named] : [];
    }

    /// <summary>Whether a type travels as a union: what is marked as both travels as an object.</summary>
    private static bool IsUnion(INamedTypeSymbol type) => TypeClassifier.IsUnion(type) && !TypeClassifier.IsObject(type);
}
