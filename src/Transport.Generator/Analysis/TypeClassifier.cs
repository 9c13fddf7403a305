using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Transport.Generator.Model;

namespace Transport.Generator.Analysis;

/// <summary>Finds out how a type travels, or why it cannot.</summary>
internal static class TypeClassifier
{
    private const string Collections = "global::System.Collections.Generic.";
    private const string Immutable = "global::System.Collections.Immutable.";

    /// <summary>A tuple of more elements holds another one in its last.</summary>
    private const int MostInTuple = 7;

    /// <summary>Stands for a reason that the type itself has to give.</summary>
    private const string Unsaid = "?";

    /// <summary>How many arrays and maps may stand inside each other in a field: the packet is one more
    /// (MessagePackValue.MaxDepth).</summary>
    public const int MostInside = 63;

    private static readonly Dictionary<SpecialType, (string Read, string Write)> Scalars = new()
    {
        [SpecialType.System_Boolean] = ("ReadBoolean", "WriteBoolean"),
        [SpecialType.System_SByte] = ("ReadSByte", "WriteInt"),
        [SpecialType.System_Int16] = ("ReadInt16", "WriteInt"),
        [SpecialType.System_Int32] = ("ReadInt32", "WriteInt"),
        [SpecialType.System_Int64] = ("ReadInt64", "WriteInt"),
        [SpecialType.System_Byte] = ("ReadByte", "WriteUInt"),
        [SpecialType.System_UInt16] = ("ReadUInt16", "WriteUInt"),
        [SpecialType.System_UInt32] = ("ReadUInt32", "WriteUInt"),
        [SpecialType.System_UInt64] = ("ReadUInt64", "WriteUInt"),
        [SpecialType.System_Single] = ("ReadSingle", "WriteSingle"),
        [SpecialType.System_Double] = ("ReadDouble", "WriteDouble"),
        [SpecialType.System_Decimal] = ("ReadDecimal", "WriteDecimal"),
        [SpecialType.System_DateTime] = ("ReadDateTime", "WriteDateTime"),
    };

    private static readonly Dictionary<string, (string Read, string Write)> NamedScalars = new()
    {
        ["global::System.TimeSpan"] = ("ReadTimeSpan", "WriteTimeSpan"),
        ["global::System.Guid"] = ("ReadGuid", "WriteGuid"),
    };

    private static readonly Dictionary<string, TypeShape> Sequences = new()
    {
        ["List"] = TypeShape.List,
        ["IList"] = TypeShape.List,
        ["IReadOnlyList"] = TypeShape.Array,
        ["HashSet"] = TypeShape.Set,
        ["ISet"] = TypeShape.Set,
        ["IReadOnlySet"] = TypeShape.Set,
        ["IReadOnlyCollection"] = TypeShape.Items,
    };

    /// <summary>Gets how a type travels; null with the reason if it cannot (an empty one if the compiler has said it already).</summary>
    public static TypeModel? Classify(ITypeSymbol type, out string why) =>
        IsTooDeep(type, MostInside) ? Refuse($"it is nested more than {MostInside} deep, and a packet with it more than {MostInside + 1}",
            out why) : ClassifyOne(type, out why);

    /// <summary>Whether a type is a tuple that travels.</summary>
    public static bool IsTuple(INamedTypeSymbol type) =>
        type.TypeArguments.Length is > 0 and <= MostInTuple && type.Name == "ValueTuple" && type.IsValueType
        && type.ContainingNamespace is { Name: "System", ContainingNamespace.IsGlobalNamespace: true };

    /// <summary>Whether a type holds others inside each other more often than a packet may.</summary>
    private static bool IsTooDeep(ITypeSymbol type, int left) => type switch
    {
        IArrayTypeSymbol { ElementType.SpecialType: SpecialType.System_Byte } or INamedTypeSymbol { Name: "ReadOnlyMemory" } => false,
        INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } or INamedTypeSymbol { Name: "KeyValuePair" } =>
            ((INamedTypeSymbol)type).TypeArguments.Any(argument => IsTooDeep(argument, left)),
        IArrayTypeSymbol array => left == 0 || IsTooDeep(array.ElementType, left - 1),
        INamedTypeSymbol { TypeArguments.IsEmpty: false } named => left == 0
            || named.TypeArguments.Any(argument => IsTooDeep(argument, left - 1)),
        _ => false,
    };

    private static TypeModel? ClassifyOne(ITypeSymbol type, out string why)
    {
        why = Unsaid;
        if (type is INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T } nullable)
        {
            TypeModel? bare = ClassifyOne(nullable.TypeArguments[0], out why);
            return bare is null ? null : bare with { Name = bare.Bare + "?", MayBeNull = true };
        }

        TypeModel? model = type switch
        {
            { TypeKind: TypeKind.Error } => Refuse(string.Empty, out why),
            IArrayTypeSymbol array => ClassifyArray(array, ref why),
            INamedTypeSymbol { TypeKind: TypeKind.Enum } named => ClassifyEnum(named),
            INamedTypeSymbol named => ClassifyNamed(named, ref why),
            _ => null,
        };
        why = model is null && why == Unsaid ? Advice.For(type) : why;
        bool mayBeNull = !type.IsValueType && type.NullableAnnotation != NullableAnnotation.NotAnnotated;
        return model is null || !mayBeNull ? model : model with { Name = model.Bare + "?", MayBeNull = true };
    }

    /// <summary>Whether objects of the type have a formatter that the generator writes.</summary>
    public static bool IsObject(INamedTypeSymbol type) =>
        (Names.Has(type, Names.PacketObject) || Names.Has(type, Names.Packet))
        && (!type.DeclaringSyntaxReferences.IsEmpty || !type.GetTypeMembers(Names.Formatter).IsEmpty);

    /// <summary>Whether a type is a union that has a formatter that the generator writes.</summary>
    public static bool IsUnion(INamedTypeSymbol type) =>
        Names.Has(type, Names.PacketUnion) && (!type.DeclaringSyntaxReferences.IsEmpty || !type.GetTypeMembers(Names.Formatter).IsEmpty);

    private static TypeModel? ClassifyArray(IArrayTypeSymbol array, ref string why)
    {
        if (array.Rank != 1)
        {
            return Refuse("an array of several dimensions has no form in MessagePack; use an array of arrays", out why);
        }

        if (array.ElementType.SpecialType == SpecialType.System_Byte)
        {
            return Plain(TypeShape.Bytes, "byte[]", isValueType: false);
        }

        return Sequence(TypeShape.Array, array.ElementType, item => item + "[]", isInterface: false, ref why);
    }

    private static TypeModel ClassifyEnum(INamedTypeSymbol type)
    {
        string read = Scalars.TryGetValue(type.EnumUnderlyingType!.SpecialType, out (string Read, string Write) scalar) ? scalar.Read
            : "ReadInt32";
        string write = scalar.Write ?? "WriteInt";
        string name = Names.Code(type);
        return new TypeModel(
            TypeShape.Number, name, name, MayBeNull: false, IsValueType: true, read, write, write == "WriteUInt" ? "ulong" : "long");
    }

    private static TypeModel? ClassifyNamed(INamedTypeSymbol type, ref string why)
    {
        string name = Names.Code(type);
        if (type.SpecialType == SpecialType.System_String)
        {
            return Plain(TypeShape.Text, name, isValueType: false);
        }

        if (Scalars.TryGetValue(type.SpecialType, out (string Read, string Write) scalar) || NamedScalars.TryGetValue(name, out scalar))
        {
            return new TypeModel(TypeShape.Scalar, name, name, MayBeNull: false, IsValueType: true, scalar.Read, scalar.Write);
        }

        if (FrameworkTypes.Find(name) is { } converted)
        {
            return converted;
        }

        if (name == "global::System.ReadOnlyMemory<byte>")
        {
            return Plain(TypeShape.Memory, name, isValueType: true);
        }

        if (IsTuple(type))
        {
            return ClassifyTuple(type, ref why);
        }

        if (IsObject(type))
        {
            return type.IsGenericType ? null : Plain(TypeShape.Object, name, type.IsValueType);
        }

        if (IsUnion(type))
        {
            return type.IsGenericType ? null : Plain(TypeShape.Union, name, isValueType: false);
        }

        if (name.StartsWith(Collections, System.StringComparison.Ordinal) && type.DeclaringSyntaxReferences.IsEmpty)
        {
            return ClassifyCollection(type, ref why);
        }

        bool isImmutable = name.StartsWith(Immutable, System.StringComparison.Ordinal) && type.DeclaringSyntaxReferences.IsEmpty;
        return isImmutable ? ClassifyImmutable(type, ref why) : null;
    }

    private static TypeModel? ClassifyTuple(INamedTypeSymbol type, ref string why)
    {
        var parts = new TypeModel[type.TypeArguments.Length];
        for (int i = 0; i < parts.Length; i++)
        {
            if (ClassifyOne(type.TypeArguments[i], out why) is not { } part)
            {
                return null;
            }

            parts[i] = part;
        }

        string name = $"global::System.ValueTuple<{string.Join(", ", parts.Select(p => p.Name))}>";
        return Plain(TypeShape.Tuple, name, isValueType: true) with { Parts = new EquatableArray<TypeModel>(parts) };
    }

    private static TypeModel? ClassifyImmutable(INamedTypeSymbol type, ref string why)
    {
        string name = Immutable + type.Name;
        switch (type.Name)
        {
            case "ImmutableArray" when type.TypeArguments.Length == 1:
                return Sequence(TypeShape.ImmutableArray, type.TypeArguments[0], item => $"{name}<{item}>", isInterface: false, ref why);
            case "ImmutableList" when type.TypeArguments.Length == 1:
                return Sequence(TypeShape.ImmutableList, type.TypeArguments[0], item => $"{name}<{item}>", isInterface: false, ref why);
            case "ImmutableDictionary" when Pair(type, ref why) is (TypeModel key, TypeModel value):
                name += $"<{key.Name}, {value.Name}>";
                return Plain(TypeShape.ImmutableMap, name, isValueType: false) with { Key = key, Item = value };
            default:
                return null;
        }
    }

    private static TypeModel? ClassifyCollection(INamedTypeSymbol type, ref string why)
    {
        bool isInterface = type.TypeKind == TypeKind.Interface;
        if (type.TypeArguments.Length == 1 && Sequences.TryGetValue(type.Name, out TypeShape shape))
        {
            return Sequence(shape, type.TypeArguments[0], item => $"{Collections}{type.Name}<{item}>", isInterface, ref why);
        }

        if (type.TypeArguments.Length != 2 || type.Name is not ("Dictionary" or "IDictionary" or "IReadOnlyDictionary"))
        {
            return null;
        }

        (TypeModel Key, TypeModel Value)? pair = Pair(type, ref why);
        if (pair is null)
        {
            return null;
        }

        string name = $"{Collections}{type.Name}<{pair.Value.Key.Name}, {pair.Value.Value.Name}>";
        return new TypeModel(TypeShape.Map, name, name, MayBeNull: false, IsValueType: false, Key: pair.Value.Key, Item: pair.Value.Value,
            IsInterface: isInterface);
    }

    private static TypeModel? Sequence(
        TypeShape shape, ITypeSymbol element, System.Func<string, string> name, bool isInterface, ref string why)
    {
        bool takesPairs = shape is TypeShape.Array or TypeShape.List;
        if (takesPairs && element is INamedTypeSymbol { Name: "KeyValuePair", TypeArguments.Length: 2,
            DeclaringSyntaxReferences.IsEmpty: true } pairType
            && Names.Code(pairType).StartsWith(Collections, System.StringComparison.Ordinal))
        {
            (TypeModel Key, TypeModel Value)? pair = Pair(pairType, ref why);
            if (pair is null)
            {
                return null;
            }

            string pairs = name($"{Collections}KeyValuePair<{pair.Value.Key.Name}, {pair.Value.Value.Name}>");
            TypeShape pairShape = shape == TypeShape.List ? TypeShape.PairList : TypeShape.PairArray;
            return new TypeModel(pairShape, pairs, pairs, MayBeNull: false, IsValueType: false, Key: pair.Value.Key, Item: pair.Value.Value,
                IsInterface: isInterface);
        }

        TypeModel? item = ClassifyOne(element, out why);
        if (item is null)
        {
            return null;
        }

        string bare = name(item.Name);
        return Plain(shape, bare, shape == TypeShape.ImmutableArray) with { Item = item, IsInterface = isInterface };
    }

    private static (TypeModel Key, TypeModel Value)? Pair(INamedTypeSymbol type, ref string why)
    {
        TypeModel? key = ClassifyOne(type.TypeArguments[0], out why);
        if (key is null)
        {
            return null;
        }

        // If nullable is not enabled a key says nothing about null, and a map has none.
        key = type.TypeArguments[0] is { IsValueType: false, NullableAnnotation: NullableAnnotation.None }
            ? key with { Name = key.Bare, MayBeNull = false } : key;
        key = FrameworkTypes.AsKey(key);
        bool isOne = key.Shape is TypeShape.Scalar or TypeShape.Text or TypeShape.Number or TypeShape.Converted;
        if (key.MayBeNull || !isOne || key.Read is "ReadSingle" or "ReadDouble")
        {
            Refuse("the key of a map is a string, a char, a whole number, a Guid, a time, a Uri, a Version or an enum, and not null",
                out why);
            return null;
        }

        TypeModel? value = ClassifyOne(type.TypeArguments[1], out why);
        return value is null ? null : (key, value);
    }

    private static TypeModel Plain(TypeShape shape, string name, bool isValueType) => new(shape, name, name, MayBeNull: false, isValueType);

    private static TypeModel? Refuse(string reason, out string why)
    {
        why = reason;
        return null;
    }
}
