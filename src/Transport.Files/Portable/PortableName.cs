using System;

namespace Transport.Files;

/// <summary>The names that a path of .NET can hold.</summary>
internal static class PortableName
{
    /// <summary>Refuses a name that a path would take for something else.</summary>
    /// <param name="name">The name.</param>
    /// <exception cref="FileCallException"><see cref="TransportFault.FilePathRefused"/>: it is refused.</exception>
    public static void ThrowIfRefused(string name)
    {
        string? reason = null;
        foreach (char c in name)
        {
            if (EntryName.IsEscapedByte(c))
            {
                reason = "has bytes that are no UTF-8";
            }
            else if (Platform.IsWindows && (c < ' ' || c is '\\' or ':' or '*' or '?' or '"' or '<' or '>' or '|' or '/'))
            {
                reason = "has a character that no name may have here";
            }
        }

        if (reason is null && Platform.IsWindows && (name[name.Length - 1] is '.' or ' ' || IsDevice(name)))
        {
            reason = "stands for another name here";
        }

        if (reason is not null)
        {
            throw new FileCallException("create", TransportFault.FilePathRefused, $"the name '{TerminalText.Escape(name)}' {reason}");
        }
    }

    private static bool IsDevice(string name)
    {
        int dot = name.IndexOf('.');
        string stem = (dot < 0 ? name : name.Substring(0, dot)).TrimEnd(' ').ToUpperInvariant();
        return stem is "CON" or "PRN" or "AUX" or "NUL" or "CONIN$" or "CONOUT$" || (stem.Length == 4 && IsPort(stem));
    }

    private static bool IsPort(string stem) =>
        (stem.StartsWith("COM", StringComparison.Ordinal) || stem.StartsWith("LPT", StringComparison.Ordinal))
        && (char.IsDigit(stem[3]) || stem[3] is '\u00B9' or '\u00B2' or '\u00B3');
}
