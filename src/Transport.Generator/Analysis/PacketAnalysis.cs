using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Transport.Generator.Model;

namespace Transport.Generator.Analysis;

/// <summary>Turns one marked type into the model that its code is written from, or into messages.</summary>
internal sealed class PacketAnalysis
{
    private readonly INamedTypeSymbol _type;
    private readonly Declaration _declaration;
    private readonly AttributeData _attribute;
    private readonly Compilation _compilation;
    private readonly List<DiagnosticInfo> _messages = [];

    private PacketAnalysis(INamedTypeSymbol type, TypeDeclarationSyntax syntax, AttributeData attribute, Compilation compilation)
    {
        _compilation = compilation;
        _type = type;
        _attribute = attribute;
        _declaration = new Declaration(type, syntax, _messages);
    }

    private Location TypePlace => _declaration.Place;

    private string TypeName => Names.People(_type);

    /// <summary>Analyzes a marked type; null if another of its parts or attributes is the one that counts.</summary>
    public static Result? Run(GeneratorAttributeSyntaxContext context, CancellationToken cancellation)
    {
        if (context.TargetSymbol is not INamedTypeSymbol type || context.TargetNode is not TypeDeclarationSyntax syntax
            || syntax.Identifier.ValueText.Length == 0)
        {
            return null;
        }

        AttributeData attribute = context.Attributes[0];
        bool isPacket = attribute.AttributeClass?.Name == "PacketAttribute";
        AttributeData? first = Names.Attribute(type, isPacket ? Names.Packet : Names.PacketObject);
        if (first?.ApplicationSyntaxReference?.Span != attribute.ApplicationSyntaxReference?.Span
            || first?.ApplicationSyntaxReference?.SyntaxTree != attribute.ApplicationSyntaxReference?.SyntaxTree
            || (!isPacket && Names.Has(type, Names.Packet)))
        {
            return null;
        }

        var analysis = new PacketAnalysis(type, syntax, attribute, context.SemanticModel.Compilation);
        PacketModel? model = null;
        try
        {
            model = analysis.MakeModel(isPacket, cancellation);
        }
        catch (Exception failure) when (failure is not OperationCanceledException)
        {
            analysis.Say(analysis.TypePlace, Rules.Failed, type.Name, $"{failure.GetType().Name}: {failure.Message}");
        }

        bool isValid = !analysis._messages.Any(m => m.Rule.DefaultSeverity == DiagnosticSeverity.Error);
        return new Result(isValid ? model : null, new EquatableArray<DiagnosticInfo>([.. analysis._messages]),
            Place.Of(analysis.AttributePlace()));
    }

    private PacketModel? MakeModel(bool isPacket, CancellationToken cancellation)
    {
        if (!CheckDeclaration(isPacket))
        {
            return null;
        }

        if (Names.Has(_type, Names.MessagePackObject))
        {
            Say(TypePlace, Rules.Theirs, TypeName, isPacket ? "[Packet]" : "[PacketObject]");
        }

        if (!_type.IsValueType && !_type.IsSealed && !UnionAnalysis.IsCase(_type))
        {
            Say(TypePlace, Rules.Unsealed, TypeName);
        }

        PacketHeader? header = isPacket ? ReadHeader() : null;
        cancellation.ThrowIfCancellationRequested();
        List<Member> members = Member.Of(_type);
        Construction? making = Construction.Choose(_type, members, out string why);
        bool inherits = CheckInherited();
        if (making is null)
        {
            if (inherits)
            {
                return null; // Its constructor hands those fields on: that is said, and more would mislead.
            }

            Say(TypePlace, Rules.NoConstructor, TypeName, why);
            return null;
        }

        var fields = new FieldList(_type, _compilation, TypePlace, _messages);
        List<Member> ordered = fields.Order(members, making);
        CheckMisplaced(members);
        CheckRequired(ordered, making);
        if (ordered.Count == 0)
        {
            CheckEmpty();
        }

        FieldModel[] models = [.. ordered.Select(m => fields.ToModel(m, making)).OfType<FieldModel>()];
        if (models.Length < ordered.Count)
        {
            return null;
        }

        int[] arguments = [.. making.Arguments.Select(a => ordered.IndexOf(a))];
        return new PacketModel(
            _declaration.ToShell(),
            _type.IsValueType,
            header,
            new EquatableArray<FieldModel>(models),
            new EquatableArray<int>(arguments),
            Forbidden.IsMarked(making.Constructor) || ordered.Any(Forbidden.Is));
    }

    private bool CheckDeclaration(bool isPacket)
    {
        int before = _messages.Count;
        string? kind = _type.IsStatic ? "static" : _type.IsAbstract ? "abstract" : _type.IsRefLikeType ? "a ref struct"
            : _declaration.IsFileLocal ? "local to its file" : null;
        if (kind is not null)
        {
            Say(TypePlace, Rules.BadKind, TypeName, kind);
        }

        _declaration.Check(isPacket ? [Names.Type, Names.Formatter] : [Names.Formatter]);
        return _messages.Count == before;
    }

    private PacketHeader? ReadHeader()
    {
        if (_attribute.ConstructorArguments.FirstOrDefault().Value is not int id)
        {
            return null; // The compiler has said what is wrong with it.
        }

        string name = Named("Name").Value as string is { Length: > 0 } given ? given : _type.Name;
        if (id is < 256 or > ushort.MaxValue or (>= 259 and <= 261) or (>= 272 and <= 276))
        {
            Say(AttributePlace(), Rules.BadId, $"{id}", name);
        }
        else if (id < 1024)
        {
            Say(AttributePlace(), Rules.LibraryId, $"{id}", name);
        }

        int lane = Named("Lane").Value is int number ? number : 2;
        string laneName = lane switch { 1 => "Urgent", 2 => "Normal", 3 => "Bulk", 0 => "Control", _ => $"{lane}" };
        if (lane is < 1 or > 3)
        {
            Say(AttributePlace("Lane"), Rules.BadLane, laneName, name);
        }

        string? level = Named("LevelProperty").Value as string;
        if (level is not null && !_type.GetMembers(level).OfType<IPropertySymbol>().Any(IsLevel))
        {
            Say(AttributePlace("LevelProperty"), Rules.BadLevel, level, TypeName);
        }

        string[] answers =
        [
            .. _type.AllInterfaces.Where(i => i.OriginalDefinition.ToDisplayString() is Names.Request or Names.StreamRequest)
                .Select(Names.Annotated),
        ];
        return new PacketHeader(
            id, name, laneName, level is null ? null : Names.Code(level), Named("Tables").Value is true,
            new EquatableArray<string>(answers));
    }

    /// <summary>Reports marks on what is no field of an object, or is to stay here.</summary>
    private void CheckMisplaced(List<Member> members)
    {
        foreach (ISymbol symbol in _type.GetMembers().Where(m => m is IPropertySymbol or IFieldSymbol { AssociatedSymbol: null }))
        {
            if (Member.IsMarkedField(symbol) && !members.Any(m => SymbolEqualityComparer.Default.Equals(m.Symbol, symbol)))
            {
                Say(symbol.Locations.FirstOrDefault(), Rules.CannotSet, symbol.Name, Rules.WhyNot(symbol, Member.IsIgnored(symbol)));
            }
        }
    }

    private bool CheckInherited()
    {
        for (INamedTypeSymbol? up = _type.BaseType; up is { SpecialType: SpecialType.None }; up = up.BaseType)
        {
            Member? inherited = Member.Of(up).FirstOrDefault(m => (m.IsSettable || m.IsData) && !IsReplaced(m));
            bool isForeign = up.DeclaringSyntaxReferences.IsEmpty;
            bool isCollection = isForeign && up.AllInterfaces.Any(i => i.SpecialType == SpecialType.System_Collections_IEnumerable);
            if (inherited is not null || isCollection)
            {
                Say(TypePlace, Rules.Inherits, TypeName, isCollection ? "items" : inherited!.Name, Names.People(up),
                    isForeign ? string.Empty : ", or mark this one [PacketIgnore] there");
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether the packet has an own property in the place of one that it inherits.</summary>
    private bool IsReplaced(Member inherited) =>
        _type.GetMembers(inherited.Name).OfType<IPropertySymbol>()
            .Any(own => own is { IsOverride: true, SetMethod: not null } && inherited.Symbol is IPropertySymbol);

    /// <summary>A packet without fields is a signal; one that keeps values and sends none was hardly meant so.</summary>
    private void CheckEmpty()
    {
        ISymbol? hidden = Member.Kept(_type).Where(m => m.DeclaredAccessibility != Accessibility.Public && !Member.IsIgnored(m))
            .OrderBy(m => m.Name, StringComparer.Ordinal).FirstOrDefault();
        if (hidden is not null)
        {
            Say(TypePlace, Rules.Empty, TypeName, hidden.Name);
        }
    }

    private void CheckRequired(List<Member> fields, Construction making)
    {
        ISymbol? lost = _type.GetMembers().FirstOrDefault(m => m is IPropertySymbol or IFieldSymbol && Member.IsMarkedRequired(m)
            && !fields.Any(f => SymbolEqualityComparer.Default.Equals(f.Symbol, m)));
        if (lost is not null)
        {
            Say(lost.Locations.FirstOrDefault(), Rules.NoConstructor, TypeName, $"'{lost.Name}' is required but does not travel");
        }

        for (INamedTypeSymbol? up = _type.BaseType; up is { SpecialType: SpecialType.None }
            && !FieldList.SetsAll(making.Constructor); up = up.BaseType)
        {
            ISymbol? above = up.GetMembers().FirstOrDefault(
                m => m is IPropertySymbol { IsRequired: true } or IFieldSymbol { IsRequired: true } && !fields.Any(f => f.Name == m.Name));
            if (above is not null)
            {
                Say(TypePlace, Rules.NoConstructor, TypeName, $"'{above.Name}' of '{Names.People(up)}' is required but does not travel");
            }
        }
    }

    private TypedConstant Named(string name) => _attribute.NamedArguments.FirstOrDefault(a => a.Key == name).Value;

    private Location AttributePlace(string? argument = null)
    {
        var syntax = _attribute.ApplicationSyntaxReference?.GetSyntax() as AttributeSyntax;
        SyntaxNode? part = syntax?.ArgumentList?.Arguments.FirstOrDefault(
            a => argument is null || a.NameEquals?.Name.Identifier.ValueText == argument);
        return (part ?? syntax)?.GetLocation() ?? TypePlace;
    }

    private void Say(Location? place, DiagnosticDescriptor rule, params string[] arguments) =>
        _messages.Add(DiagnosticInfo.At(place, rule, arguments));

    private static bool IsLevel(IPropertySymbol property) =>
        property is { IsStatic: false, IsIndexer: false, ExplicitInterfaceImplementations.IsEmpty: true, GetMethod: { } get }
            && IsWhole(property.Type) && !Forbidden.IsMarked(property) && !Forbidden.IsMarked(get);

    private static bool IsWhole(ITypeSymbol type) =>
        type.TypeKind == TypeKind.Enum || type.SpecialType is >= SpecialType.System_SByte and <= SpecialType.System_UInt64;
}
