using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Transport.Generator.Model;

namespace Transport.Generator.Analysis;

/// <summary>Turns one union into the model that its code is written from, or into messages.</summary>
internal sealed class UnionAnalysis
{
    private readonly INamedTypeSymbol _type;
    private readonly Compilation _compilation;
    private readonly Declaration _declaration;
    private readonly List<DiagnosticInfo> _messages = [];
    private readonly List<Case> _cases = [];

    private UnionAnalysis(INamedTypeSymbol type, TypeDeclarationSyntax syntax, Compilation compilation)
    {
        _type = type;
        _compilation = compilation;
        _declaration = new Declaration(type, syntax, _messages);
    }

    private string TypeName => Names.People(_type);

    /// <summary>Analyzes a union; null if another of its parts is the one that counts.</summary>
    public static UnionResult? Run(GeneratorAttributeSyntaxContext context, CancellationToken cancellation)
    {
        if (context.TargetSymbol is not INamedTypeSymbol type
            || context.TargetNode is not TypeDeclarationSyntax syntax || syntax.Identifier.ValueText.Length == 0
            || SyntaxOf(Marks(type).First())?.FirstAncestorOrSelf<TypeDeclarationSyntax>() != syntax)
        {
            return null;
        }

        var analysis = new UnionAnalysis(type, syntax, context.SemanticModel.Compilation);
        UnionModel? model = null;
        try
        {
            cancellation.ThrowIfCancellationRequested();
            model = analysis.MakeModel();
        }
        catch (Exception failure) when (failure is not OperationCanceledException)
        {
            analysis.Say(analysis._declaration.Place, Rules.Failed, type.Name, $"{failure.GetType().Name}: {failure.Message}");
        }

        return new UnionResult(analysis._messages.Count == 0 ? model : null, new EquatableArray<DiagnosticInfo>([.. analysis._messages]));
    }

    /// <summary>Gets the types that a union names as its cases and that can be some, in the order of their numbers.</summary>
    public static IEnumerable<INamedTypeSymbol> CasesOf(INamedTypeSymbol union) =>
        Marks(union).Select(m => (Number: NumberOf(m), Type: TypeOf(m) as INamedTypeSymbol))
            .Where(c => c is { Number: not null, Type: not null } && TypeClassifier.IsObject(c.Type) && IsDerived(c.Type, union))
            .OrderBy(c => c.Number)
            .Select(c => c.Type!);

    /// <summary>Whether a type is a case of one of its bases, so that what is derived from it and is no case is refused when it is
    /// sent.</summary>
    public static bool IsCase(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? up = type.BaseType; up is not null; up = up.BaseType)
        {
            if (Has(up))
            {
                return true;
            }
        }

        return type.AllInterfaces.Any(Has);

        bool Has(INamedTypeSymbol union) =>
            TypeClassifier.IsUnion(union) && CasesOf(union).Contains(type, SymbolEqualityComparer.Default);
    }

    private static IEnumerable<AttributeData> Marks(INamedTypeSymbol union) =>
        union.GetAttributes().Where(a => a.AttributeClass?.ToDisplayString() == Names.PacketUnion);

    private static int? NumberOf(AttributeData mark) => mark.ConstructorArguments.FirstOrDefault().Value as int?;

    private static ITypeSymbol? TypeOf(AttributeData mark) => mark.ConstructorArguments.ElementAtOrDefault(1).Value as ITypeSymbol;

    private static AttributeSyntax? SyntaxOf(AttributeData mark) => mark.ApplicationSyntaxReference?.GetSyntax() as AttributeSyntax;

    private static bool IsDerived(INamedTypeSymbol type, INamedTypeSymbol union) => union.TypeKind == TypeKind.Interface
        ? type.AllInterfaces.Contains(union, SymbolEqualityComparer.Default)
        : Bases(type).Contains(union, SymbolEqualityComparer.Default);

    private static IEnumerable<INamedTypeSymbol> Bases(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? up = type.BaseType; up is not null; up = up.BaseType)
        {
            yield return up;
        }
    }

    private UnionModel? MakeModel()
    {
        _declaration.Check(Names.Formatter);
        string? kind = _type.IsStatic ? "static"
            : !_type.IsAbstract ? "not abstract"
            : _declaration.IsFileLocal ? "local to its file"
            : Names.Has(_type, Names.Packet) ? "marked [Packet] too"
            : Names.Has(_type, Names.PacketObject) ? "marked [PacketObject] too" : null;
        if (kind is not null)
        {
            Say(_declaration.Place, Rules.BadUnion, TypeName, kind);
            return null;
        }

        foreach (AttributeData mark in Marks(_type))
        {
            // What has no number or type, the compiler has said what is wrong with it.
            if (NumberOf(mark) is { } number && mark.ConstructorArguments.Length == 2 && TypeOf(mark) is not { TypeKind: TypeKind.Error })
            {
                AddCase(mark, number, TypeOf(mark));
            }
        }

        return _messages.Count > 0 || _cases.Count == 0 ? null : ToModel();
    }

    private void AddCase(AttributeData mark, int number, ITypeSymbol? type)
    {
        string name = type is null ? "null" : Names.People(type);
        string why = WhyNot(type);
        if (why.Length > 0)
        {
            Say(PlaceOf(mark, 1), Rules.BadCase, name, TypeName, why);
            return;
        }

        if (number < 0)
        {
            Say(PlaceOf(mark, 0), Rules.BadCaseNumber, name, $"{number}", TypeName);
        }

        if (_cases.FirstOrDefault(c => SymbolEqualityComparer.Default.Equals(c.Type, type)) is { } same)
        {
            Say(PlaceOf(mark, 1), Rules.CaseTwice, name, $"{number}", TypeName, $"it has the number {same.Number} already");
        }
        else if (_cases.FirstOrDefault(c => c.Number == number) is { } other)
        {
            string taken = $"'{Names.People(other.Type)}' has it already, so choose another";
            Say(PlaceOf(mark, 0), Rules.CaseTwice, name, $"{number}", TypeName, taken);
        }

        _cases.Add(new Case(number, (INamedTypeSymbol)type!));
    }

    /// <summary>Finds why a type is no case; empty if it is one.</summary>
    private string WhyNot(ITypeSymbol? type)
    {
        if (type is not INamedTypeSymbol named || named.TypeKind is not (TypeKind.Class or TypeKind.Struct))
        {
            return "a case is a class, record or struct";
        }

        if (named.IsGenericType)
        {
            return "it is generic, and a case is one type with one shape";
        }

        if (!IsDerived(named, _type))
        {
            return _type.TypeKind == TypeKind.Interface ? $"it does not implement '{TypeName}'" : $"it is not derived from '{TypeName}'";
        }

        if (!TypeClassifier.IsObject(named))
        {
            return "it is not marked [PacketObject]";
        }

        return named.IsFileLocal || !_compilation.IsSymbolAccessibleWithin(named, _type)
            ? "other files cannot name it; make it public or internal"
            : string.Empty;
    }

    private UnionModel ToModel()
    {
        Case[] ordered = [.. _cases.OrderBy(c => c.Number)];
        UnionCase[] cases =
        [
            .. ordered.Select(c => new UnionCase(c.Number, Names.People(c.Type), Names.Code(c.Type), Bases(c.Type).Count())),
        ];

        // The default of a case must not need a default of the union. If all cases lead there, the shortest way to an end counts.
        var held = new AlwaysHeld();
        int first = Array.FindIndex(ordered, c => !held.LeadsTo(c.Type, _type));
        if (first < 0)
        {
            int?[] depths = [.. ordered.Select(c => held.DepthOf(c.Type))];
            first = Math.Max(0, Array.IndexOf(depths, depths.Min()));
        }

        return new UnionModel(_declaration.ToShell(), new EquatableArray<UnionCase>(cases), cases[first]);
    }

    private Location PlaceOf(AttributeData mark, int argument)
    {
        AttributeSyntax? syntax = SyntaxOf(mark);
        string name = argument == 0 ? "number" : "type";
        SeparatedSyntaxList<AttributeArgumentSyntax> arguments = syntax?.ArgumentList?.Arguments ?? default;
        SyntaxNode? place = arguments.FirstOrDefault(a => a.NameColon?.Name.Identifier.ValueText == name)
            ?? arguments.ElementAtOrDefault(argument);
        return (place ?? syntax)?.GetLocation() ?? _declaration.Place;
    }

    private void Say(Location? place, DiagnosticDescriptor rule, params string[] arguments) =>
        _messages.Add(DiagnosticInfo.At(place, rule, arguments));

    private sealed record Case(int Number, INamedTypeSymbol Type);
}
