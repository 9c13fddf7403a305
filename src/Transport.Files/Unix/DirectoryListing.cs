using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Transport.Files.Unix;

/// <summary>What is in an open directory, read through a handle of its own: names only, never a path.</summary>
internal static unsafe class DirectoryListing
{
    private const int KindAt = 18, NameAt = 19;
    private const byte DirectoryKind = 4;

    /// <summary>Lists the names, without "." and "..".</summary>
    /// <returns>The names, and whether the system says that it is a directory (some file systems do not say); an empty list where it cannot be read.</returns>
    public static List<(string Name, bool IsDirectory)> Read(UnixCalls calls, int directory)
    {
        var names = new List<(string, bool)>();
        int own = calls.Open(directory, ".", Libc.ReadOnly | Libc.Directory);
        if (own < 0)
        {
            return names;
        }

        IntPtr stream = Libc.fdopendir(own);
        if (stream == IntPtr.Zero)
        {
            _ = calls.Close(own);
            return names;
        }

        for (byte* entry = Libc.readdir(stream); entry != null; entry = Libc.readdir(stream))
        {
            byte* name = entry + NameAt;
            int length = 0;
            while (name[length] != 0)
            {
                length++;
            }

            bool isSelf = name[0] == '.' && (length == 1 || (length == 2 && name[1] == '.'));
            if (!isSelf)
            {
                names.Add((EntryName.FromBytes(new ReadOnlySpan<byte>(name, length)), entry[KindAt] == DirectoryKind));
            }
        }

        _ = Libc.closedir(stream);
        return names;
    }
}
