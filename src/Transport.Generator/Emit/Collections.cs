using Transport.Generator.Model;

namespace Transport.Generator.Emit;

/// <summary>The names of what collections hold and are.</summary>
internal static class Collections
{
    private const string Space = "global::System.Collections.Generic.";

    /// <summary>How many elements a reader makes capacity for before it has read any.</summary>
    public const string FirstItems = "256";

    /// <summary>The type of an element: for maps a pair.</summary>
    public static string ItemName(TypeModel type) =>
        IsMap(type) ? $"{Space}KeyValuePair<{type.Key!.Name}, {type.Item!.Name}>" : type.Item!.Name;

    /// <summary>The type that a reader makes.</summary>
    public static string MadeName(TypeModel type) => type.Shape switch
    {
        TypeShape.Array or TypeShape.PairArray or TypeShape.Items => ItemName(type) + "[]",
        TypeShape.Map => $"{Space}Dictionary<{type.Key!.Name}, {type.Item!.Name}>",
        TypeShape.Set => $"{Space}HashSet<{ItemName(type)}>",
        TypeShape.ImmutableArray or TypeShape.ImmutableList or TypeShape.ImmutableMap => type.Bare,
        _ => $"{Space}List<{ItemName(type)}>",
    };

    /// <summary>The type that a writer looks for behind an interface, because it can write that one without allocating.</summary>
    public static string QuickName(TypeModel type) =>
        type.Shape == TypeShape.Items ? $"{Space}IReadOnlyList<{ItemName(type)}>" : MadeName(type);

    /// <summary>The type that a reader fills.</summary>
    public static string FilledName(TypeModel type) => IsImmutable(type) ? type.Bare + ".Builder" : MadeName(type);

    /// <summary>The expression of what a reader fills, still empty. It has capacity for what was read, not for what was claimed.</summary>
    public static string Empty(TypeModel type) => type.Shape switch
    {
        TypeShape.Array or TypeShape.PairArray or TypeShape.Items => $"global::System.Array.Empty<{ItemName(type)}>()",
        TypeShape.Set => $"new {MadeName(type)}()",
        TypeShape.ImmutableArray => $"{Factory(type)}CreateBuilder<{ItemName(type)}>(global::System.Math.Min(count, {FirstItems}))",
        TypeShape.ImmutableList => $"{Factory(type)}CreateBuilder<{ItemName(type)}>()",
        TypeShape.ImmutableMap => $"{Factory(type)}CreateBuilder<{type.Key!.Name}, {type.Item!.Name}>()",
        _ => $"new {MadeName(type)}(global::System.Math.Min(count, {FirstItems}))",
    };

    /// <summary>The expression of what a reader gives, from <c>items</c> that it has filled.</summary>
    public static string Filled(TypeModel type) => type.Shape switch
    {
        TypeShape.ImmutableArray => "items.Count == items.Capacity ? items.MoveToImmutable() : items.ToImmutable()",
        TypeShape.ImmutableList or TypeShape.ImmutableMap => "items.ToImmutable()",
        _ => "items",
    };

    /// <summary>Whether a reader fills an array, which it makes longer as it goes.</summary>
    public static bool IsFilledAsArray(TypeModel type) => type.Shape is TypeShape.Array or TypeShape.PairArray or TypeShape.Items;

    public static bool IsMap(TypeModel type) =>
        type.Shape is TypeShape.Map or TypeShape.PairArray or TypeShape.PairList or TypeShape.ImmutableMap;

    /// <summary>Whether a key may stand once only.</summary>
    public static bool HasKeys(TypeModel type) => type.Shape is TypeShape.Map or TypeShape.ImmutableMap;

    /// <summary>Whether a writer takes the elements by their index.</summary>
    public static bool IsIndexed(TypeModel type) =>
        type.Shape is TypeShape.Array or TypeShape.PairArray or TypeShape.List or TypeShape.PairList or TypeShape.ImmutableArray;

    public static string CountOf(TypeModel type, string value)
    {
        bool isArray = type is { Shape: TypeShape.Array or TypeShape.PairArray, IsInterface: false };
        return isArray || type.Shape == TypeShape.ImmutableArray ? value + ".Length" : value + ".Count";
    }

    private static bool IsImmutable(TypeModel type) =>
        type.Shape is TypeShape.ImmutableArray or TypeShape.ImmutableList or TypeShape.ImmutableMap;

    /// <summary>The static class of the type's name.</summary>
    private static string Factory(TypeModel type) => type.Bare.Substring(0, type.Bare.IndexOf('<')) + ".";
}
