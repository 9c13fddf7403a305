using System;
using System.Globalization;
using Transport.Files;
using Transport;

namespace Unpack;

/// <summary>An archive is refused. The message is one sentence that names the entry, if it is about one, and the reason; it holds no
/// control characters.</summary>
/// <param name="entry">The entry's name, or null if it is about the archive as a whole.</param>
/// <param name="reason">What is wrong with it.</param>
internal sealed class ArchiveException(string? entry, string reason) : Exception(entry is null ? reason : $"entry {Show(entry)}: {reason}")
{
    private const int MostShown = 200;

    /// <summary>A name for a message: its beginning if it is long, and nothing in it that moves a cursor.</summary>
    public static string Show(string name) => name.Length == 0 ? "\"\""
        : name.Length <= MostShown ? TerminalText.Escape(name)
        : string.Create(CultureInfo.InvariantCulture, $"{TerminalText.Escape(name[..MostShown])}… ({name.Length} characters)");
}
