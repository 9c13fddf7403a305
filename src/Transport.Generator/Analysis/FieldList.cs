using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Transport.Generator.Model;

namespace Transport.Generator.Analysis;

/// <summary>The members that travel, in their order on the wire.</summary>
internal sealed class FieldList(INamedTypeSymbol type, Compilation compilation, Location typePlace, List<DiagnosticInfo> messages)
{
    private string TypeName => Names.People(type);

    /// <summary>Puts the fields into the order of their places, or else of their declaration.</summary>
    public List<Member> Order(List<Member> members, Construction making)
    {
        foreach (Member stuck in members.Where(m => !Travels(m, making)))
        {
            if (stuck.Place is not null)
            {
                Say(stuck.Location, Rules.CannotSet, stuck.Name, Rules.WhyNot(stuck.Symbol, isIgnored: false));
            }
            else if (stuck.IsData)
            {
                Say(stuck.Location, Rules.Lost, stuck.Name, TypeName);
            }
        }

        List<Member> fields = [.. members.Where(m => Travels(m, making))];
        return fields.Any(f => f.Place is not null) ? ByPlace(fields) : ByDeclaration(fields);
    }

    /// <summary>Describes a field; null, with a message, where its type cannot travel.</summary>
    public FieldModel? ToModel(Member member, Construction making)
    {
        int argument = System.Array.IndexOf(making.Arguments, member);
        bool hasInitializer = argument < 0 && member.HasInitializer;
        TypeModel? model = Classify(member, hasInitializer);
        if (model is null)
        {
            return null;
        }

        INamedTypeSymbol[] inside = [.. AlwaysIn(member)];
        if (inside.Any(held => Reaches(held, [])))
        {
            Say(TypePlaceOf(member), Rules.HoldsItself, member.Name);
        }
        else if (inside.FirstOrDefault(held => IsTooDeep(held, TypeClassifier.MostInside, [])) is { } deep)
        {
            string reason = $"it holds others, none of which may be null, more than {TypeClassifier.MostInside} deep";
            Say(TypePlaceOf(member), Rules.BadType, member.Name, Names.People(deep), reason);
        }

        bool isSet = member.IsSettable && (argument < 0 || (member.IsRequired && !SetsAll(making.Constructor)));
        string? byDefault = argument >= 0 ? Literals.DefaultOf(making.Constructor.Parameters[argument], model) : null;
        return new FieldModel(member.Name, Names.Code(member.Name), model, isSet, byDefault, hasInitializer, member.IsRequired);
    }

    private TypeModel? Classify(Member member, bool hasInitializer)
    {
        string why;
        if (member.Formatter is { } attribute)
        {
            TypeModel? own = OwnFormatter.Classify(member, type, compilation, hasInitializer, out why);
            if (why.Length > 0)
            {
                ISymbol formatter = (ISymbol)attribute.ConstructorArguments[0].Value!;
                Location? place = attribute.ApplicationSyntaxReference?.GetSyntax().GetLocation();
                Say(place, Rules.BadFormatter, member.Name, Names.People(formatter), why);
            }

            return own;
        }

        TypeModel? model = TypeClassifier.Classify(member.Type, out why);
        if (model is null && why.Length > 0)
        {
            Say(TypePlaceOf(member), Rules.BadType, member.Name, Names.People(member.Type), why);
        }

        return model;
    }

    private static bool Travels(Member member, Construction making) => member.IsSettable || making.Arguments.Contains(member);

    public static bool SetsAll(IMethodSymbol constructor) => constructor.GetAttributes().Any(a => a.AttributeClass?.Name == "SetsRequiredMembersAttribute");

    private static Location? TypePlaceOf(Member member) => member.Syntax switch
    {
        PropertyDeclarationSyntax property => property.Type.GetLocation(),
        ParameterSyntax { Type: { } parameterType } => parameterType.GetLocation(),
        VariableDeclaratorSyntax { Parent: VariableDeclarationSyntax declaration } => declaration.Type.GetLocation(),
        _ => member.Location,
    };

    private List<Member> ByDeclaration(List<Member> fields)
    {
        if (fields.Select(f => f.Part).Distinct().Count() > 1)
        {
            Say(typePlace, Rules.Scattered, TypeName);
        }

        return [.. fields.OrderBy(f => f.Syntax?.SpanStart ?? 0)];
    }

    private List<Member> ByPlace(List<Member> fields)
    {
        foreach (Member without in fields.Where(f => f.Place is null))
        {
            Say(without.Location, Rules.FieldWithoutPlace, without.Name, TypeName);
        }

        List<Member> ordered = [.. fields.Where(f => f.Place is not null).OrderBy(f => f.Place)];
        int next = 0;
        Member? last = null;
        foreach (Member field in ordered)
        {
            if (last is not null && field.Place == last.Place)
            {
                Say(field.Location, Rules.FieldTwice, $"{field.Place}", TypeName, last.Name, field.Name);
            }
            else if (field.Place != next)
            {
                Say(field.Location, Rules.FieldGap, field.Name, $"{field.Place}", TypeName, $"{next}");
            }

            last = field;
            next = field.Place!.Value + 1;
        }

        return ordered;
    }

    /// <summary>Whether a type leads back to this one over fields that are always there.</summary>
    private bool Reaches(INamedTypeSymbol from, HashSet<ISymbol> seen)
    {
        if (SymbolEqualityComparer.Default.Equals(from, type))
        {
            return true;
        }

        return seen.Count < 1000 && seen.Add(from.OriginalDefinition) && AlwaysThere(from).Any(held => Reaches(held, seen));
    }

    /// <summary>Whether there is always one more object inside, more often than a packet may have it. Each type is looked at again only where it was met further in.</summary>
    private static bool IsTooDeep(INamedTypeSymbol from, int left, Dictionary<ISymbol, int> met)
    {
        if (left == 0 || (met.TryGetValue(from, out int before) && before <= left))
        {
            return left == 0;
        }

        met[from] = left;
        return AlwaysThere(from).Any(held => IsTooDeep(held, left - 1, met));
    }

    /// <summary>The objects that each object of a type holds: those of its fields that may not be null.</summary>
    private static IEnumerable<INamedTypeSymbol> AlwaysThere(INamedTypeSymbol from)
    {
        if (from.DeclaringSyntaxReferences.IsEmpty)
        {
            return [];
        }

        List<Member> members = Member.Of(from);
        Construction? making = Construction.Choose(from, members, out _);
        return members.Where(m => making is null || Travels(m, making)).SelectMany(AlwaysIn);
    }

    private static IEnumerable<INamedTypeSymbol> AlwaysIn(Member member) => member.Formatter is null ? AlwaysIn(member.Type) : [];

    /// <summary>The objects that are in each value of a type: itself, or those of a tuple's elements, unless they may be null.</summary>
    private static IEnumerable<INamedTypeSymbol> AlwaysIn(ITypeSymbol type)
    {
        if (type is not INamedTypeSymbol named || (!type.IsValueType && type.NullableAnnotation != NullableAnnotation.NotAnnotated))
        {
            return [];
        }

        if (TypeClassifier.IsTuple(named))
        {
            return named.TypeArguments.SelectMany(AlwaysIn);
        }

        return TypeClassifier.IsObject(named) ? [named] : [];
    }

    private void Say(Location? place, DiagnosticDescriptor rule, params string[] arguments) => messages.Add(DiagnosticInfo.At(place, rule, arguments));
}
