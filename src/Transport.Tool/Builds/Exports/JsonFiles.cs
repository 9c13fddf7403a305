using System.Text.Json;

namespace Transport.Tool;

/// <summary>JSON that is too long to be held as a whole.</summary>
internal static class JsonFiles
{
    private const int Long = 64 << 10;

    /// <summary>Writes what is pending to the file, if that is much.</summary>
    public static void FlushIfLong(this Utf8JsonWriter json)
    {
        if (json.BytesPending > Long)
        {
            json.Flush();
        }
    }
}
