using System;
using System.Globalization;
using System.Text;
using System.Text.Unicode;
using Transport.Files;

namespace BuildHarness.Archives.Names;

/// <summary>Names in archives are bytes and mostly UTF-8; what is not becomes text as <see cref="EntryName"/> has it, and becomes the same
/// bytes again if a file is made.</summary>
internal static class ByteText
{
    private const int MostShown = 200;

    public static string Decode(ReadOnlySpan<byte> bytes) => Utf8.IsValid(bytes) ? Encoding.UTF8.GetString(bytes)
        : EntryName.FromBytes(bytes);

    /// <summary>A name for a message: its beginning if it is long, and nothing in it that moves a cursor.</summary>
    public static string Show(ReadOnlySpan<byte> name) =>
        name.IsEmpty ? "\"\""
        : name.Length <= MostShown ? EntryName.Escape(Decode(name))
        : string.Create(CultureInfo.InvariantCulture, $"{EntryName.Escape(Decode(name[..MostShown]))}… ({name.Length} bytes)");
}
