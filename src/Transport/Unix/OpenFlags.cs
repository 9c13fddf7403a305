namespace Transport;

/// <summary>The flags of open(2), which differ by system and processor.</summary>
internal static class OpenFlags
{
    public const int ReadOnly = 0, WriteOnly = 1, ReadWrite = 2;

    /// <summary>Gets O_CREAT.</summary>
    public static int Create => Libc.IsMac ? 0x200 : 0x40;

    /// <summary>Gets O_EXCL.</summary>
    public static int Exclusive => Libc.IsMac ? 0x800 : 0x80;

    /// <summary>Gets O_NONBLOCK.</summary>
    public static int NonBlocking => Libc.IsMac ? 0x4 : 0x800;

    /// <summary>Gets O_CLOEXEC.</summary>
    public static int CloseOnExec => Libc.IsMac ? 0x1000000 : 0x80000;

    /// <summary>Gets O_DIRECTORY.</summary>
    public static int Directory => Libc.IsMac ? 0x100000 : Libc.IsArm ? 0x4000 : 0x10000;

    /// <summary>Gets O_NOFOLLOW.</summary>
    public static int NoFollow => Libc.IsMac ? 0x100 : Libc.IsArm ? 0x8000 : 0x20000;
}
