using System;
using System.Collections.Generic;
using System.Text;

namespace Unpack;

/// <summary>What a name may look like, and what path it means.</summary>
internal static class EntryPath
{
    /// <summary>What Linux takes: 255 bytes a component, 4,095 a path.</summary>
    private const int MostName = 255;

    /// <summary>The most bytes of a path, and of a symbolic link's target.</summary>
    public const int MostPath = 4095;

    /// <summary>Takes out <c>.</c>, doubled and trailing slashes.</summary>
    /// <param name="name">The name as the archive has it.</param>
    /// <param name="onWindows">Where a backslash parts components and a colon names a drive or a stream.</param>
    /// <param name="path">The components with a slash between them; empty for the root.</param>
    /// <returns>Why the name is refused, or null.</returns>
    public static string? Normalize(string name, bool onWindows, out string path)
    {
        path = name;
        if (Fault(name, onWindows) is { } fault)
        {
            return fault;
        }

        var kept = new List<string>();
        foreach (string component in name.Split('/'))
        {
            if (component == "..")
            {
                return "its path leads upwards (..)";
            }

            if (component.Length > MostName / 3 && Encoding.UTF8.GetByteCount(component) is > MostName and var bytes)
            {
                return $"a name in its path has {bytes} bytes, more than {MostName}";
            }

            if (component.Length > 0 && component != ".")
            {
                kept.Add(component);
            }
        }

        path = string.Join('/', kept);
        return null;
    }

    private static string? Fault(string name, bool onWindows) =>
        name.Length == 0 ? "it has no name"
        : Encoding.UTF8.GetByteCount(name) is > MostPath and var bytes ? $"its path has {bytes} bytes, more than {MostPath}"
        : name.Contains('\0', StringComparison.Ordinal) ? "a NUL is in its name"
        : name.Contains('\uFFFD', StringComparison.Ordinal) ? "its name is not UTF-8"
        : name[0] == '/' ? "its path is absolute"
        : onWindows && name.AsSpan().IndexOfAny('\\', ':') >= 0 ? "a backslash or colon is in its name"
        : null;
}
