using System;
using System.Runtime.InteropServices;

namespace Transport;

/// <summary>A sender's table of texts.</summary>
internal sealed class TextTable(int maxBytes, Lane lane) : SendTable<string>(TableTypes.Strings, maxBytes, lane)
{
    /// <summary>Longer texts are written out: they hardly ever come again, and one would take the capacity of many.</summary>
    private const int LongestText = 8 << 10;

    /// <summary>A longer text enters when it comes for the second time.</summary>
    private const int LongText = 256;

    /// <summary>Finds the id of a text, and adds the text if it is worth it.</summary>
    /// <param name="text">The text.</param>
    /// <param name="whole">The same as one object, if there is one.</param>
    /// <param name="mayBeUnique">It enters when it comes for the second time.</param>
    /// <returns>The id; negative: write it out.</returns>
    public int IdOf(ReadOnlySpan<char> text, string? whole, bool mayBeUnique)
    {
        if (text.Length > LongestText)
        {
            return None;
        }

        ReadOnlySpan<byte> bytes = MemoryMarshal.AsBytes(text);
        int hash = TextHash.Of(bytes);
        int id = Find(bytes, hash);
        if (id != None || !HasCapacity(text.Length) || ((mayBeUnique || text.Length > LongText) && !CameBefore(hash)))
        {
            return id;
        }

        int size = Utf8.Count(text);
        if (!HasCapacity(size))
        {
            return None;
        }

        string key = whole ?? text.ToString();
        id = Add(key, hash, size);
        Packets.Add(id, key, size);
        return id;
    }

    /// <inheritdoc/>
    protected override ReadOnlySpan<byte> BytesOf(string key) => MemoryMarshal.AsBytes(key.AsSpan());
}
