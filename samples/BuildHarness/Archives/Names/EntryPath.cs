using System;

namespace BuildHarness.Archives.Names;

/// <summary>What a name may look like, and what path it means.</summary>
internal static class EntryPath
{
    /// <summary>What Linux takes: 255 bytes a component, 4,095 a path.</summary>
    private const int MostName = 255, MostPath = 4095;

    /// <summary>Takes out <c>.</c>, doubled and trailing slashes.</summary>
    /// <param name="name">The name as the archive has it.</param>
    /// <param name="onWindows">Where a backslash parts components and a colon names a drive or a stream.</param>
    /// <param name="path">The components with a slash between them; empty for the root. Maybe <paramref name="name"/> itself.</param>
    /// <returns>Why the name is refused, or null.</returns>
    public static string? Normalize(byte[] name, bool onWindows, out byte[] path)
    {
        path = name;
        if (Fault(name, onWindows) is { } fault)
        {
            return fault;
        }

        int kept = 0;
        byte[]? cut = null;
        for (int start = 0; start <= name.Length;)
        {
            int length = name.AsSpan(start).IndexOf((byte)'/');
            length = length < 0 ? name.Length - start : length;
            ReadOnlySpan<byte> component = name.AsSpan(start, length);
            if (component is [(byte)'.', (byte)'.'])
            {
                return "its path leads upwards (..)";
            }

            if (component.Length > MostName)
            {
                return $"a name in its path has {component.Length} bytes, more than {MostName}";
            }

            if (component.IsEmpty || component is [(byte)'.'])
            {
                cut ??= name.AsSpan().ToArray();
            }
            else
            {
                if (kept > 0)
                {
                    Put(cut, kept++, "/"u8);
                }

                Put(cut, kept, component);
                kept += component.Length;
            }

            start += length + 1;
        }

        path = cut is null ? name : cut[..kept];
        return null;
    }

    private static void Put(byte[]? target, int at, ReadOnlySpan<byte> bytes)
    {
        if (target is not null)
        {
            bytes.CopyTo(target.AsSpan(at));
        }
    }

    private static string? Fault(byte[] name, bool onWindows) =>
        name.Length == 0 ? "it has no name"
        : name.Length > MostPath ? $"its path has {name.Length} bytes, more than {MostPath}"
        : name.AsSpan().IndexOf((byte)0) >= 0 ? "a NUL is in its name"
        : name[0] == (byte)'/' ? "its path is absolute"
        : onWindows && name.AsSpan().IndexOfAny((byte)'\\', (byte)':') >= 0 ? "a backslash or colon is in its name"
        : null;
}
