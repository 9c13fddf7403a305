using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Transport.Generator.Analysis;

/// <summary>A property or field that may be one of a packet's.</summary>
internal sealed class Member
{
    private static readonly string[] SameAsNone = ["string.Empty", "String.Empty", "\"\"", "null!", "null", "default!", "default", "[]"];

    private Member(ISymbol symbol, ITypeSymbol type, bool isData, bool isSettable, bool isRequired)
    {
        Symbol = symbol;
        Type = type;
        IsData = isData;
        IsSettable = isSettable;
        IsRequired = isRequired;
        Place = PlaceOf(symbol);
        FormatterMark = FormatterOf(symbol);
    }

    public ISymbol Symbol { get; }

    public ITypeSymbol Type { get; }

    /// <summary>Gets a value indicating whether it keeps a value: a field, or a property that is its own field. Others compute
    /// theirs.</summary>
    public bool IsData { get; }

    public bool IsSettable { get; }

    public bool IsRequired { get; }

    /// <summary>Gets or sets the place that an attribute gives it.</summary>
    public int? Place { get; set; }

    /// <summary>Gets or sets the attribute that gives it a formatter of its own.</summary>
    public AttributeData? FormatterMark { get; set; }

    /// <summary>Gets a value indicating whether it is marked as a field.</summary>
    public bool IsMarked => IsMarkedField(Symbol);

    public string Name => Symbol.Name;

    public Location? Location => Symbol.Locations.FirstOrDefault();

    public SyntaxNode? Syntax => Symbol.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax();

    /// <summary>Gets the part of the type that declares it.</summary>
    public TypeDeclarationSyntax? Part => Syntax?.FirstAncestorOrSelf<TypeDeclarationSyntax>();

    /// <summary>Gets a value indicating whether a fresh object brings a value of its own, other than none.</summary>
    public bool HasInitializer
    {
        get
        {
            EqualsValueClauseSyntax? initializer = (Syntax as PropertyDeclarationSyntax)?.Initializer
                ?? (Syntax as VariableDeclaratorSyntax)?.Initializer;
            return initializer is not null && !SameAsNone.Contains(initializer.Value.ToString());
        }
    }

    /// <summary>Gets the members of a type that are seen from outside, or that are marked as fields.</summary>
    public static List<Member> Of(INamedTypeSymbol type)
    {
        var members = new List<Member>();
        HashSet<ISymbol> kept = Kept(type);
        foreach (ISymbol symbol in type.GetMembers())
        {
            Member? member = symbol switch
            {
                IPropertySymbol { IsStatic: false, IsIndexer: false, GetMethod: not null } p =>
                    new Member(p, p.Type, kept.Contains(p), p.SetMethod is not null && p.ExplicitInterfaceImplementations.IsEmpty,
                        IsMarkedRequired(p)),
                IFieldSymbol { IsStatic: false, IsConst: false, AssociatedSymbol: null, IsImplicitlyDeclared: false } f =>
                    new Member(f, f.Type, kept.Contains(f), !f.IsReadOnly, IsMarkedRequired(f)),
                _ => null,
            };
            bool isSeen = symbol.DeclaredAccessibility == Accessibility.Public || IsMarkedField(symbol);
            if (member is not null && isSeen && !IsIgnored(symbol))
            {
                members.Add(member);
            }
        }

        return members;
    }

    /// <summary>Whether a member is marked to stay here, be it by way of its own field ([field: PacketIgnore]).</summary>
    public static bool IsIgnored(ISymbol symbol) => AttributeOf(symbol, Names.PacketIgnore) is not null;

    /// <summary>Gets the fields of a type and its properties that are their own fields, of any accessibility.</summary>
    public static HashSet<ISymbol> Kept(INamedTypeSymbol type)
    {
        var kept = new HashSet<ISymbol>(SymbolEqualityComparer.Default);
        foreach (IFieldSymbol field in type.GetMembers().OfType<IFieldSymbol>().Where(f => !f.IsStatic && !f.IsConst))
        {
            if (field.AssociatedSymbol is IPropertySymbol property && !FillsItself(property))
            {
                kept.UnionWith(type.GetMembers(property.Name)); // Of a partial property the field knows the other part.
            }
            else if (field is { AssociatedSymbol: null, IsImplicitlyDeclared: false })
            {
                kept.Add(field);
            }
        }

        return kept;
    }

    public static bool IsMarkedRequired(ISymbol symbol) =>
        symbol.DeclaringSyntaxReferences.Select(r => r.GetSyntax().FirstAncestorOrSelf<MemberDeclarationSyntax>())
            .Any(m => m is not TypeDeclarationSyntax && m is not null && m.Modifiers.Any(modifier => modifier.ValueText == "required"));

    private static AttributeData? AttributeOf(ISymbol symbol, string name) =>
        Names.Attribute(symbol, name) ?? (symbol is IPropertySymbol && Behind(symbol) is { } field ? Names.Attribute(field, name) : null);

    /// <summary>The field that a property is kept in.</summary>
    private static IFieldSymbol? Behind(ISymbol property) =>
        property.ContainingType.GetMembers().OfType<IFieldSymbol>()
            .FirstOrDefault(f => f.AssociatedSymbol is IPropertySymbol own && own.Name == property.Name);

    /// <summary>Whether the getter sets the field behind the property, as one does that computes its value when it is first asked
    /// for.</summary>
    private static bool FillsItself(IPropertySymbol property) =>
        property.GetMethod is { } get
            && get.DeclaringSyntaxReferences.SelectMany(r => r.GetSyntax().DescendantNodes()).Any(node => node switch
        {
            AssignmentExpressionSyntax assignment => assignment.Left.ToString() == "field",
            ArgumentSyntax argument => argument.RefKindKeyword.RawKind != 0 && argument.Expression.ToString() == "field",
            _ => false,
        });

    public static int? PlaceOf(ISymbol symbol) =>
        AttributeOf(symbol, Names.PacketField)?.ConstructorArguments.FirstOrDefault().Value as int?;

    public static AttributeData? FormatterOf(ISymbol symbol) =>
        AttributeOf(symbol, Names.PacketField) is { } mark
        && FormatterIn(mark) is { } value && (value.Kind == TypedConstantKind.Error || !value.IsNull) ? mark : null;

    /// <summary>Gets the type that a [PacketField] names as the formatter; null if it names none, or one that does not exist.</summary>
    public static ITypeSymbol? TypeOfFormatter(AttributeData mark) => FormatterIn(mark)?.Value as ITypeSymbol;

    private static TypedConstant? FormatterIn(AttributeData mark) => mark.NamedArguments.Where(a => a.Key == Names.FieldFormatter)
        .Select(a => (TypedConstant?)a.Value).FirstOrDefault();

    /// <summary>Whether a member has a [PacketField], be it on its own field.</summary>
    public static bool IsMarkedField(ISymbol symbol) => AttributeOf(symbol, Names.PacketField) is not null;
}
