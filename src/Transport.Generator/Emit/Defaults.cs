using System.Linq;
using Transport.Generator.Model;

namespace Transport.Generator.Emit;

/// <summary>What a reader gives for a field that the packet lacks.</summary>
internal static class Defaults
{
    public static string Of(FieldModel field) => field.Default ?? Of(field.Type);

    private static string Of(TypeModel type) => type switch
    {
        { MayBeNull: true } => "default",
        { Default.Length: > 0 } => type.Default,
        { Shape: TypeShape.Text } => "string.Empty",
        { Shape: TypeShape.Bytes } => "global::System.Array.Empty<byte>()",
        { Shape: TypeShape.Object or TypeShape.Union } => $"{type.Bare}.PacketFormatter.MakeDefault()",
        { Shape: TypeShape.Array or TypeShape.PairArray or TypeShape.Items } =>
            $"global::System.Array.Empty<{Collections.ItemName(type)}>()",
        { Shape: TypeShape.List or TypeShape.PairList or TypeShape.Map or TypeShape.Set } => $"new {Collections.MadeName(type)}()",
        { Shape: TypeShape.ImmutableArray or TypeShape.ImmutableList or TypeShape.ImmutableMap } => $"{type.Bare}.Empty",
        { Shape: TypeShape.Own, IsValueType: false } => "default!",
        { Shape: TypeShape.Tuple } => $"new {type.Bare}({string.Join(", ", type.Parts.Select(Of))})",
        _ => "default",
    };
}
