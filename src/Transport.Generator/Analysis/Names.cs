using System;
using System.Linq;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Transport.Generator.Analysis;

/// <summary>Names: of the attributes, and of symbols as code writes them.</summary>
internal static class Names
{
    public const string Packet = "Transport.PacketAttribute";
    public const string PacketObject = "Transport.PacketObjectAttribute";
    public const string PacketField = "Transport.PacketFieldAttribute";
    public const string FieldFormatter = "Formatter";
    public const string Service = "Transport.ServiceAttribute";
    public const string PacketUnion = "Transport.PacketUnionAttribute";
    public const string Request = "Transport.IRequest<TResponse>";
    public const string StreamRequest = "Transport.IStreamRequest<TItem>";
    public const string PacketIgnore = "Transport.PacketIgnoreAttribute";

    /// <summary>The attribute of MessagePack-CSharp.</summary>
    public const string MessagePackObject = "MessagePack.MessagePackObjectAttribute";

    private static readonly SymbolDisplayFormat WithQuestionMarks = SymbolDisplayFormat.FullyQualifiedFormat
        .AddMiscellaneousOptions(SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    /// <summary>The class that the generator puts into each type.</summary>
    public const string Formatter = "PacketFormatter";

    /// <summary>The property that the generator puts into each packet.</summary>
    public const string Type = "PacketType";

    public static AttributeData? Attribute(ISymbol symbol, string name) =>
        symbol.GetAttributes().FirstOrDefault(a => a.AttributeClass?.ToDisplayString() == name);

    public static bool Has(ISymbol symbol, string name) => Attribute(symbol, name) is not null;

    /// <summary>The type with its namespace, without question marks.</summary>
    public static string Code(ITypeSymbol type) =>
        Escape(type.WithNullableAnnotation(NullableAnnotation.None).ToDisplayString(SymbolDisplayFormat.FullyQualifiedFormat));

    /// <summary>The type with its namespace and the question marks inside of it, but without its own.</summary>
    public static string Annotated(ITypeSymbol type) =>
        Escape(type.WithNullableAnnotation(NullableAnnotation.None).ToDisplayString(WithQuestionMarks));

    /// <summary>A name that may be a keyword.</summary>
    public static string Code(string name) =>
        SyntaxFacts.GetKeywordKind(name) == SyntaxKind.None && SyntaxFacts.GetContextualKeywordKind(name) == SyntaxKind.None
            ? name
            : "@" + name;

    /// <summary>The compiler puts an @ before every name that needs one but this, which begins a declaration where a type may
    /// stand.</summary>
    private static string Escape(string code) =>
        !code.Contains("partial") ? code
            : Regex.Replace(code, @"(?<=[.:])partial\b", "@partial", RegexOptions.CultureInvariant, TimeSpan.FromSeconds(5));

    public static string People(ISymbol symbol) => symbol.ToDisplayString(SymbolDisplayFormat.CSharpShortErrorMessageFormat);
}
