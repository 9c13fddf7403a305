using Transport.Generator.Model;

namespace Transport.Generator.Emit;

/// <summary>The names of what collections hold and are.</summary>
internal static class Collections
{
    private const string Space = "global::System.Collections.Generic.";

    public static bool IsOne(TypeModel type) => type.Shape >= TypeShape.Array;

    /// <summary>The type of an element: for maps a pair.</summary>
    public static string ItemName(TypeModel type) =>
        type.Shape is TypeShape.Array or TypeShape.List ? type.Item!.Name : $"{Space}KeyValuePair<{type.Key!.Name}, {type.Item!.Name}>";

    /// <summary>The type that a reader makes.</summary>
    public static string MadeName(TypeModel type) => type.Shape switch
    {
        TypeShape.Array or TypeShape.PairArray => ItemName(type) + "[]",
        TypeShape.Map => $"{Space}Dictionary<{type.Key!.Name}, {type.Item!.Name}>",
        _ => $"{Space}List<{ItemName(type)}>",
    };

    public static bool IsMap(TypeModel type) => type.Shape is TypeShape.Map or TypeShape.PairArray or TypeShape.PairList;

    public static string CountOf(TypeModel type, string value) =>
        type is { Shape: TypeShape.Array or TypeShape.PairArray, IsInterface: false } ? value + ".Length" : value + ".Count";
}
