using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Transport.Generator.Analysis;

/// <summary>How an object is made from its fields: which constructor, and which member goes into which of its parameters.</summary>
internal sealed class Construction
{
    private Construction(IMethodSymbol constructor, Member[] arguments)
    {
        Constructor = constructor;
        Arguments = arguments;
    }

    public IMethodSymbol Constructor { get; }

    /// <summary>Gets the member of each parameter.</summary>
    public Member[] Arguments { get; }

    /// <summary>Chooses: a record's own parameter list; else no parameters; else the one longest list that fits. Null with the reason if
    /// there is none.</summary>
    public static Construction? Choose(INamedTypeSymbol type, List<Member> members, out string why)
    {
        why = string.Empty;
        IMethodSymbol[] constructors = [.. type.InstanceConstructors.Where(c => !IsCopy(c, type))];
        IMethodSymbol? primary = type.IsRecord ? constructors.FirstOrDefault(IsPrimary) : null;
        if (primary is not null)
        {
            return TryFit(primary, members, out why);
        }

        // One that lists the fields says more if a value cannot be set otherwise; a struct always has an empty one, which nobody chose.
        IMethodSymbol? empty = constructors.FirstOrDefault(c => c.Parameters.IsEmpty);
        bool isChosen = empty is { IsImplicitlyDeclared: false } || !type.IsValueType;
        if (empty is not null && (constructors.Length == 1 || !members.Any(m => !m.IsSettable && (m.IsData || !isChosen))))
        {
            return new Construction(empty, []);
        }

        var fits = new List<Construction>();
        foreach (IMethodSymbol constructor in constructors.OrderByDescending(c => c.Parameters.Length))
        {
            if (TryFit(constructor, members, out string reason) is { } fit)
            {
                fits.Add(fit);
            }
            else if (why.Length == 0)
            {
                why = reason;
            }
        }

        if (fits.Count > 1 && fits[0].Arguments.Length == fits[1].Arguments.Length)
        {
            why = "two of its constructors fit equally";
            return null;
        }

        if (why.Length == 0)
        {
            why = "it has no constructor";
        }

        return fits.FirstOrDefault();
    }

    private static bool IsCopy(IMethodSymbol constructor, INamedTypeSymbol type) =>
        type.IsRecord && constructor.Parameters.Length == 1 && SymbolEqualityComparer.Default.Equals(constructor.Parameters[0].Type, type);

    private static bool IsPrimary(IMethodSymbol constructor) =>
        constructor.DeclaringSyntaxReferences.Any(r => r.GetSyntax() is RecordDeclarationSyntax);

    private static Construction? TryFit(IMethodSymbol constructor, List<Member> members, out string why)
    {
        why = string.Empty;
        var arguments = new Member[constructor.Parameters.Length];
        foreach (IParameterSymbol parameter in constructor.Parameters)
        {
            Member? member = members.FirstOrDefault(m => m.Name == parameter.Name)
                ?? members.FirstOrDefault(m => string.Equals(m.Name, parameter.Name, System.StringComparison.OrdinalIgnoreCase));
            if (member is null)
            {
                why = $"no public property belongs to the parameter '{parameter.Name}' of its constructor";
                return null;
            }

            if (parameter.RefKind is not (RefKind.None or RefKind.In)
                || !SymbolEqualityComparer.Default.Equals(member.Type, parameter.Type))
            {
                why = $"the parameter '{parameter.Name}' of its constructor and the property '{member.Name}' have different types";
                return null;
            }

            if (arguments.Contains(member))
            {
                why = $"two parameters of its constructor belong to '{member.Name}'";
                return null;
            }

            arguments[parameter.Ordinal] = member;
            member.Place ??= Member.PlaceOf(parameter);
            member.FormatterMark ??= Member.FormatterOf(parameter);
        }

        return new Construction(constructor, arguments);
    }
}
