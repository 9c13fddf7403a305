using System.Linq;
using Microsoft.CodeAnalysis;
using Transport.Generator.Model;

namespace Transport.Generator.Analysis;

/// <summary>The formatter that a field names for itself.</summary>
internal static class OwnFormatter
{
    /// <summary>Gets how a field travels with its own formatter; null if it cannot, with a reason unless the compiler has one.</summary>
    public static TypeModel? Classify(Member member, INamedTypeSymbol packet, Compilation compilation, bool hasInitializer, out string why)
    {
        ITypeSymbol? named = Member.TypeOfFormatter(member.FormatterMark!);
        var formatter = named as INamedTypeSymbol;
        why = named is null or { TypeKind: TypeKind.Error } ? string.Empty
            : formatter is null ? "no object of it can be made" : WhyNot(formatter, packet, compilation);
        if (why.Length > 0 || formatter is null or { TypeKind: TypeKind.Error })
        {
            return null;
        }

        ITypeSymbol type = member.Type;
        bool isNullable = type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T };
        if (isNullable && !Formats(formatter, type))
        {
            type = ((INamedTypeSymbol)type).TypeArguments[0];
        }
        else
        {
            isNullable = !type.IsValueType && type.NullableAnnotation != NullableAnnotation.NotAnnotated;
        }

        if (!Formats(formatter, type))
        {
            why = $"it does not implement IPacketFormatter<{Names.People(type)}>";
            return null;
        }

        if (!isNullable && !type.IsValueType && !hasInitializer)
        {
            why = $"'{member.Name}' would be null in a packet that lacks it; make '{member.Name}' nullable or give it an initializer";
            return null;
        }

        string bare = Names.Annotated(type);
        return new TypeModel(TypeShape.Own, isNullable ? bare + "?" : bare, bare, isNullable, type.IsValueType, Names.Code(formatter));
    }

    private static string WhyNot(INamedTypeSymbol formatter, INamedTypeSymbol packet, Compilation compilation)
    {
        if (formatter.IsUnboundGenericType)
        {
            return "it lacks its type arguments";
        }

        if (formatter.TypeKind is not (TypeKind.Class or TypeKind.Struct) || formatter.IsAbstract || formatter.IsRefLikeType)
        {
            return "no object of it can be made";
        }

        if (formatter.IsFileLocal || !compilation.IsSymbolAccessibleWithin(formatter, packet))
        {
            return "other files cannot name it; make it public or internal";
        }

        bool isMade = formatter.InstanceConstructors.Any(c => c.Parameters.IsEmpty && c.DeclaredAccessibility == Accessibility.Public);
        return isMade ? string.Empty : "it has no public constructor without parameters";
    }

    private static bool Formats(INamedTypeSymbol formatter, ITypeSymbol type) => formatter.AllInterfaces.Any(i =>
        i.OriginalDefinition.ToDisplayString() == "Transport.IPacketFormatter<T>"
        && SymbolEqualityComparer.Default.Equals(i.TypeArguments[0], type));
}
