using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Transport.Generator.Model;

namespace Transport.Generator.Analysis;

/// <summary>The members that travel, in their order on the wire.</summary>
internal sealed class FieldList(INamedTypeSymbol type, Compilation compilation, Location typePlace, List<DiagnosticInfo> messages)
{
    private readonly AlwaysHeld _held = new();

    private string TypeName => Names.People(type);

    /// <summary>Puts the fields into the order of their places, or else of their declaration.</summary>
    public List<Member> Order(List<Member> members, Construction making)
    {
        foreach (Member stuck in members.Where(m => !Travels(m, making)))
        {
            if (stuck.IsMarked)
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

    /// <summary>Describes a field; null, with a message, if its type cannot travel.</summary>
    public FieldModel? ToModel(Member member, Construction making)
    {
        int argument = System.Array.IndexOf(making.Arguments, member);
        bool hasInitializer = argument < 0 && member.HasInitializer;
        TypeModel? model = Classify(member, hasInitializer);
        if (model is null)
        {
            return null;
        }

        INamedTypeSymbol[] endless = [.. AlwaysHeld.In(member).Where(inside => _held.DepthOf(inside) is null)];
        if (endless.Any(inside => _held.LeadsTo(inside, type)))
        {
            Say(TypePlaceOf(member), Rules.HoldsItself, member.Name);
        }
        else if (endless.FirstOrDefault() is { } deep)
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
        if (member.FormatterMark is { } attribute)
        {
            TypeModel? own = OwnFormatter.Classify(member, type, compilation, hasInitializer, out why);
            if (why.Length > 0)
            {
                ISymbol formatter = Member.TypeOfFormatter(attribute)!;
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

        if (model is not null && Unsealed(member.Type) is { } open)
        {
            Say(TypePlaceOf(member), Rules.Unsealed, Names.People(open.WithNullableAnnotation(NullableAnnotation.None)));
        }

        return model;
    }

    /// <summary>Finds an object in a field's type that is not sealed, and is not told so where it is declared: a case of a union, which is
    /// safe as the union alone, or a type of a library.</summary>
    private static INamedTypeSymbol? Unsealed(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => Unsealed(array.ElementType),
        INamedTypeSymbol { IsValueType: false, IsSealed: false } one when TypeClassifier.IsObject(one) =>
            one.DeclaringSyntaxReferences.IsEmpty || UnionAnalysis.IsCase(one) ? one : null,
        INamedTypeSymbol named => named.TypeArguments.Select(Unsealed).FirstOrDefault(inside => inside is not null),
        _ => null,
    };

    private static bool Travels(Member member, Construction making) => member.IsSettable || making.Arguments.Contains(member);

    public static bool SetsAll(IMethodSymbol constructor) =>
        constructor.GetAttributes().Any(a => a.AttributeClass?.Name == "SetsRequiredMembersAttribute");

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

    private void Say(Location? place, DiagnosticDescriptor rule, params string[] arguments) =>
        messages.Add(DiagnosticInfo.At(place, rule, arguments));
}
