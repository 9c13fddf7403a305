using System;
using System.Globalization;

namespace Transport.Nats;

/// <summary>Up to where a journal was received, as the bucket of positions has it: <c>4711 2</c>.</summary>
/// <param name="Position">The last packet that was flushed; 0 if none was.</param>
/// <param name="Asked">0, or the number of the receiver's question: it misses something, and asks for all behind the position again. Each
/// question has another number.</param>
internal readonly record struct ReceivedPosition(long Position, int Asked)
{
    /// <summary>Returns the key of a journal.</summary>
    public static string Key(string machine, Guid journal) => $"{machine}.{Words.Of(journal)}";

    /// <summary>Returns the key that says how many positions of it never came; it is not there if all did.</summary>
    /// <param name="key">The journal's key.</param>
    public static string MissedKey(string key) => key + ".missed";

    /// <summary>Reads what the bucket has.</summary>
    public static bool TryParse(string? text, out ReceivedPosition position)
    {
        position = default;
        string[] words = text?.Split(' ') ?? [];
        if (words.Length != 2 || !long.TryParse(words[0], NumberStyles.None, CultureInfo.InvariantCulture, out long at)
            || !int.TryParse(words[1], NumberStyles.None, CultureInfo.InvariantCulture, out int asked))
        {
            return false;
        }

        position = new ReceivedPosition(at, asked);
        return true;
    }

    /// <inheritdoc/>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Position} {Asked}");
}
