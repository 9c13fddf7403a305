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
        { Shape: TypeShape.Object } => $"{type.Bare}.PacketFormatter.MakeDefault()",
        { Shape: TypeShape.Array or TypeShape.PairArray } => $"global::System.Array.Empty<{Collections.ItemName(type)}>()",
        { Shape: TypeShape.List or TypeShape.PairList or TypeShape.Map } => $"new {Collections.MadeName(type)}()",
        _ => "default",
    };
}
