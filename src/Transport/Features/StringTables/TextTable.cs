using System;
using System.Runtime.InteropServices;

namespace Transport;

/// <summary>A sender's table of texts.</summary>
/// <param name="maxBytes">The most bytes that the peer holds.</param>
/// <param name="maxPacket">The most bytes of a packet that the peer takes.</param>
/// <param name="lane">The lane.</param>
internal sealed class TextTable(int maxBytes, int maxPacket, Lane lane) : SendTable<string>(TableTypes.Strings, maxBytes, lane)
{
    /// <summary>A longer text enters when it comes for the second time, and one that is longer still for the third: a command line is often
    /// told twice, and would take the capacity of many.</summary>
    private const int LongText = 256, VeryLongText = 8 << 10;

    /// <summary>What goes around a text in the packet that sets it, and to spare.</summary>
    private const int Around = 64;

    /// <summary>Longer texts are written out: one would take too much of the table, or of a packet.</summary>
    private readonly int _longest = Math.Max(VeryLongText, Math.Min(maxBytes / 4, maxPacket - Around));

    /// <summary>Finds the id of a text, and adds the text if it is worth it.</summary>
    /// <param name="text">The text.</param>
    /// <param name="whole">The same as one object, if there is one.</param>
    /// <param name="mayBeUnique">It enters when it comes for the second time.</param>
    /// <returns>The id; negative: write it out.</returns>
    public int IdOf(ReadOnlySpan<char> text, string? whole, bool mayBeUnique)
    {
        if (text.Length > _longest)
        {
            return None;
        }

        ReadOnlySpan<byte> bytes = MemoryMarshal.AsBytes(text);
        int hash = TextHash.Of(bytes);
        int id = Find(bytes, hash);
        if (id != None || !HasCapacity(text.Length) || ((mayBeUnique || text.Length > LongText) && !CameBefore(hash))
            || (text.Length > VeryLongText && !CameBefore(~hash)))
        {
            return id;
        }

        int size = Utf8.Count(text);   // at most three bytes a character
        if (!HasCapacity(size) || size > Math.Max(_longest, 3 * VeryLongText))
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
