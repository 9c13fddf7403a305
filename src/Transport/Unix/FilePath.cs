namespace Transport;

/// <summary>Calls by path.</summary>
internal static unsafe class FilePath
{
    public const int OwnerOnly = 0x180, OwnerOnlyDirectory = 0x1C0;   // 0600, 0700

    /// <summary>Creates a directory; the mode applies from the first moment.</summary>
    public static Errno TryCreateDirectory(string path, int mode)
    {
        fixed (byte* at = Libc.PathBytes(path))
        {
            return Libc.ErrorOf(Libc.mkdir(at, mode));
        }
    }

    /// <summary>Removes a name; a symbolic link itself, never what it names.</summary>
    public static Errno TryUnlink(string path)
    {
        fixed (byte* at = Libc.PathBytes(path))
        {
            return Libc.ErrorOf(Libc.unlink(at));
        }
    }

    public static Errno TrySetMode(string path, int mode)
    {
        fixed (byte* at = Libc.PathBytes(path))
        {
            return Libc.ErrorOf(Libc.chmod(at, mode));
        }
    }

    /// <summary>Gives a file another name, in place of what has it.</summary>
    public static Errno TryRename(string from, string to)
    {
        fixed (byte* source = Libc.PathBytes(from), target = Libc.PathBytes(to))
        {
            return Libc.ErrorOf(Libc.rename(source, target));
        }
    }
}
