using System;
using System.Buffers;
using System.IO;
using System.Text;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>
/// Writes JSON that may be shown on a terminal. <see cref="System.Text.Json.Utf8JsonWriter"/> escapes control characters, but not the
/// signs that override the direction of text; they get an escape of JSON too, so nothing is lost.
/// </summary>
internal static class TerminalJson
{
    /// <summary>The first of the three bytes of U+2000 to U+2FFF in UTF-8, which stand in strings only.</summary>
    private const byte First = 0xe2;

    public static void Write(Stream output, ReadOnlySpan<byte> json)
    {
        int from = 0;
        for (int at = json.IndexOf(First); at >= 0 && at + 2 < json.Length; at = Next(json, at + 3))
        {
            string sign = Encoding.UTF8.GetString(json.Slice(at, 3)), escaped = TerminalText.Escape(sign);
            if (escaped.Length > sign.Length)
            {
                output.Write(json[from..at]);
                output.Write(Encoding.ASCII.GetBytes(escaped));
                from = at + 3;
            }
        }

        output.Write(json[from..]);
    }

    /// <summary>Writes lines to stdout, and empties their buffer.</summary>
    /// <exception cref="ToolException">Stdout cannot be written.</exception>
    public static void Flush(Stream stdout, ArrayBufferWriter<byte> lines)
    {
        try
        {
            Write(stdout, lines.WrittenSpan);
            lines.ResetWrittenCount();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ToolException($"stdout cannot be written: {e.Message}", ToolExitCodes.Fault);
        }
    }

    private static int Next(ReadOnlySpan<byte> json, int from) => json[from..].IndexOf(First) is var at and >= 0 ? from + at : -1;
}
