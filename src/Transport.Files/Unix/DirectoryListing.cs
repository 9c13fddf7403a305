using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Transport.Files;

/// <summary>Lists an open directory through a handle of its own.</summary>
/// <remarks>
/// By getdents64(2) rather than readdir(3): readdir returns null both at the end and on failure. Only an errno that was cleared right
/// before the call distinguishes the two, and the runtime may change errno in between.
/// </remarks>
internal static class DirectoryListing
{
    // struct linux_dirent64: d_ino (8 bytes), d_off (8), d_reclen (2), d_type (1), d_name.
    private const int LengthAt = 16, KindAt = 18, NameAt = 19;
    private const byte DirectoryKind = 4;
    private const int BufferBytes = 8 << 10;

    /// <summary>Lists the names, without "." and "..".</summary>
    /// <param name="calls">The system calls.</param>
    /// <param name="directory">The directory's handle.</param>
    /// <param name="operation">What the listing is for, for the exception.</param>
    /// <returns>The names, and whether the system reports a directory; some file systems do not report it.</returns>
    /// <exception cref="FileCallException">The directory could not be read to its end.</exception>
    public static List<(string Name, bool IsDirectory)> Read(UnixCalls calls, int directory, string operation)
    {
        int error = TryRead(calls, directory, out List<(string, bool)> names);
        return error == 0 ? names : throw Errno.Exception(operation, error);
    }

    /// <summary>Lists the names, or as many of them as can be read.</summary>
    /// <param name="calls">The system calls.</param>
    /// <param name="directory">The directory's handle.</param>
    /// <param name="names">The names, and whether the system reports a directory.</param>
    /// <returns>0, or the error number that ended the listing early.</returns>
    public static int TryRead(UnixCalls calls, int directory, out List<(string Name, bool IsDirectory)> names)
    {
        names = [];
        int own = calls.Open(directory, ".", LinuxFlags.ReadOnly | LinuxFlags.Directory);
        if (own < 0)
        {
            return -own;
        }

        Span<byte> buffer = stackalloc byte[BufferBytes];
        int count;
        while ((count = calls.List(own, buffer)) > 0)
        {
            Add(names, buffer.Slice(0, count));
        }

        _ = calls.Close(own);

        // A directory that was removed meanwhile has no entries; the kernel reports that as ENOENT.
        return count is 0 or -Errno.NoEntry ? 0 : -count;
    }

    private static void Add(List<(string Name, bool IsDirectory)> names, ReadOnlySpan<byte> entries)
    {
        while (!entries.IsEmpty)
        {
            int length = MemoryMarshal.Read<ushort>(entries.Slice(LengthAt));
            ReadOnlySpan<byte> name = entries.Slice(NameAt, length - NameAt);
            name = name.Slice(0, name.IndexOf((byte)0));
            bool isSelf = name[0] == '.' && (name.Length == 1 || (name.Length == 2 && name[1] == '.'));
            if (!isSelf)
            {
                names.Add((EntryName.FromBytes(name), entries[KindAt] == DirectoryKind));
            }

            entries = entries.Slice(length);
        }
    }
}
