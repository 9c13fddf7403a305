using System;
using System.Collections.Generic;
using Transport.Generator.Model;

namespace Transport.Generator.Analysis;

/// <summary>The framework's types that travel as one value after a conversion.</summary>
internal static class FrameworkTypes
{
    private const string Extensions = "global::Transport.PacketValueExtensions.";

    /// <summary>The day number of 1970-01-01: dates travel as days since then.</summary>
    private const string Epoch = "719162";

    private const string FirstDay = "-719162L";
    private const string LastDay = "2932896L";
    private const string LastTick = "863999999999L";

    /// <summary>Maps a type's name to its model. In the code of a converted value <c>$</c> stands for the value.</summary>
    private static readonly Dictionary<string, TypeModel> All = new(StringComparer.Ordinal)
    {
        ["char"] = Number("char", "ReadUInt16", "WriteUInt", "ulong"),
        ["global::System.Half"] = Number("global::System.Half", "ReadSingle", "WriteSingle", "float"),
        ["global::System.DateOnly"] = Value(
            "global::System.DateOnly",
            $"global::System.DateOnly.FromDayNumber({Epoch} + (int){Extensions}ReadInt64(ref reader, {FirstDay}, {LastDay}))",
            $"writer.WriteInt($.DayNumber - {Epoch});"),
        ["global::System.TimeOnly"] = Value(
            "global::System.TimeOnly",
            $"new global::System.TimeOnly({Extensions}ReadInt64(ref reader, 0L, {LastTick}))",
            "writer.WriteInt($.Ticks);"),
        ["global::System.DateTimeOffset"] = Value(
            "global::System.DateTimeOffset",
            $"{Extensions}ReadDateTimeOffset(ref reader)",
            $"{Extensions}WriteDateTimeOffset(ref writer, $);"),
        ["global::System.Uri"] = Reference(
            "global::System.Uri", "Uri", "new global::System.Uri(string.Empty, global::System.UriKind.Relative)"),
        ["global::System.Version"] = Reference("global::System.Version", "Version", "new global::System.Version()"),
    };

    /// <summary>Gets the type of that name, as code writes it; null if it is another.</summary>
    public static TypeModel? Find(string name) => All.TryGetValue(name, out TypeModel? model) ? model : null;

    /// <summary>Gets the form of a type as the key of a map: a scalar, for every library to read. A time has no offset there.</summary>
    public static TypeModel AsKey(TypeModel type) => type.Bare == "global::System.DateTimeOffset"
        ? type with { Shape = TypeShape.Scalar, Read = "ReadTimestamp", Write = "WriteTimestamp" }
        : type;

    private static TypeModel Number(string name, string read, string write, string cast) =>
        new(TypeShape.Number, name, name, MayBeNull: false, IsValueType: true, read, write, cast);

    private static TypeModel Value(string name, string read, string write) =>
        new(TypeShape.Converted, name, name, MayBeNull: false, IsValueType: true, read, write);

    private static TypeModel Reference(string name, string method, string byDefault) => new(
        TypeShape.Converted,
        name,
        name,
        MayBeNull: false,
        IsValueType: false,
        $"{Extensions}Read{method}(ref reader)",
        $"{Extensions}Write{method}(ref writer, $);",
        Default: byDefault);
}
