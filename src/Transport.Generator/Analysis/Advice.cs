using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Transport.Generator.Analysis;

/// <summary>What to do about a type that cannot travel: something that can be done with that very type.</summary>
internal static class Advice
{
    private const string Supported = "What travels: bool, numbers, string, byte[], ReadOnlyMemory<byte>, DateTime, DateTimeOffset, "
        + "DateOnly, TimeOnly, TimeSpan, Guid, char, Uri, Version, enums, types marked [PacketObject], unions, "
        + "and arrays, lists, sets, dictionaries, immutable ones and tuples of them";

    /// <summary>Types of the framework that have a near relative which travels.</summary>
    private static readonly Dictionary<string, string> Instead = new(StringComparer.Ordinal)
    {
        ["System.IntPtr"] = "a long",
        ["System.UIntPtr"] = "a ulong",
        ["System.Type"] = "a string",
        ["System.Text.StringBuilder"] = "a string",
        ["System.Numerics.BigInteger"] = "a string",
        ["System.Net.IPAddress"] = "a string",
        ["System.Globalization.CultureInfo"] = "a string",
        ["System.IO.FileInfo"] = "a string",
        ["System.IO.DirectoryInfo"] = "a string",
        ["System.Exception"] = "strings for its type, its message and its stack",
        ["System.Object"] = "one field for each kind of value, those that are absent null",
    };

    public static string For(ITypeSymbol type) => $"{Specific(type)}. {Supported}";

    private static string Specific(ITypeSymbol type)
    {
        string name = Names.People(type.WithNullableAnnotation(NullableAnnotation.None));
        return type switch
        {
            INamedTypeSymbol { IsTupleType: true } tuple =>
                $"a tuple has at most 7 elements, so declare a type for it, '[PacketObject] public sealed partial record Entry({Values(tuple)});'",
            { TypeKind: TypeKind.Dynamic } => Use(name, Instead["System.Object"]),
            INamedTypeSymbol when Names.Has(type, Names.MessagePackObject) && !Names.Has(type, Names.PacketObject) =>
                $"'{name}' is a type of MessagePack-CSharp: mark it [PacketObject] where it is declared, or send the whole packet with "
                    + "MessagePackPacket.Of (package Transport.MessagePack)",
            { TypeKind: TypeKind.Delegate } => Use(name, "the values that the other side is to act on"),
            INamedTypeSymbol named when named.DeclaringSyntaxReferences.IsEmpty => Foreign(named, name),
            INamedTypeSymbol { TypeKind: TypeKind.Interface } or INamedTypeSymbol { IsAbstract: true } =>
                $"of '{name}' no object can be made; use a type of which one can, marked [PacketObject]"
                    + (type is INamedTypeSymbol { IsGenericType: true } ? "" : ", or name its cases by [PacketUnion]"),
            INamedTypeSymbol { IsGenericType: true } =>
                $"'{name}' is generic, which types marked [PacketObject] cannot be; declare a record with these values and mark that",
            INamedTypeSymbol when type.AllInterfaces.Any(i => i.SpecialType == SpecialType.System_Collections_IEnumerable) =>
                Use(name, "a List, an array or a Dictionary"),
            INamedTypeSymbol => $"mark '{name}' with [PacketObject]",
            _ => $"'{name}' means something in this process alone",
        };
    }

    /// <summary>A type that is not the project's own: it cannot be marked here.</summary>
    private static string Foreign(INamedTypeSymbol type, string name)
    {
        string space = type.ContainingNamespace?.ToDisplayString() ?? string.Empty;
        for (INamedTypeSymbol? up = type; up is not null; up = up.BaseType)
        {
            // Every class leads to object and every struct to ValueType: what stands for object itself is no advice for them.
            bool isItself = SymbolEqualityComparer.Default.Equals(up, type);
            if (Instead.TryGetValue($"{up.ContainingNamespace?.ToDisplayString()}.{up.MetadataName}", out string? other)
                && (isItself || up.SpecialType != SpecialType.System_Object))
            {
                return Use(name, other);
            }
        }

        if (space == "System.Collections" || space.StartsWith("System.Collections.", StringComparison.Ordinal))
        {
            return type.TypeArguments.Length switch
            {
                1 => Use(name, $"List<{Names.People(type.TypeArguments[0])}> or an array"),
                2 when type.Name != "KeyValuePair" =>
                    Use(name, $"Dictionary<{Names.People(type.TypeArguments[0])}, {Names.People(type.TypeArguments[1])}>"),
                2 => Use(name, "a record marked [PacketObject] (lists of KeyValuePair travel, one alone does not)"),
                _ => Use(name, "a List or Dictionary that names what it holds"),
            };
        }

        if (space is "System" or "System.Buffers"
            && type is { TypeArguments.Length: 1, Name: "Memory" or "ReadOnlyMemory" or "ArraySegment" or "ReadOnlySequence" })
        {
            return Use(name, type.TypeArguments[0].SpecialType == SpecialType.System_Byte ? "ReadOnlyMemory<byte> or byte[]" : "an array");
        }

        if (Names.Has(type, Names.PacketObject) || Names.Has(type, Names.Packet) || Names.Has(type, Names.PacketUnion))
        {
            return $"'{name}' is marked, but its assembly has no formatter for it; let the generator run in that project too";
        }

        bool isFrameworks = new[] { "System", "Microsoft" }.Any(
            root => space == root || space.StartsWith(root + ".", StringComparison.Ordinal));
        return $"'{name}' is of another assembly; declare a record with what is needed of it and mark that "
            + $"[PacketObject]{(isFrameworks ? "" : ", or mark it there where that project is yours")}";
    }

    private static string Use(string name, string other) => $"instead of '{name}' use {other}";

    /// <summary>The elements of a tuple as parameters of a record.</summary>
    private static string Values(INamedTypeSymbol tuple) =>
        string.Join(", ", tuple.TupleElements.Select(e => $"{Names.People(e.Type)} {e.Name}"));
}
