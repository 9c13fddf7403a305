using System.Runtime.InteropServices;

namespace Transport.Loads.Scratch;

/// <summary>What a path names, and whose that is, by Linux' statx; a link is not followed.</summary>
internal static class FileOwner
{
    private const int WorkingFolder = -100;      // AT_FDCWD
    private const int NoFollow = 0x100;          // AT_SYMLINK_NOFOLLOW
    private const uint TypeAndUser = 0x1 | 0x8;  // STATX_TYPE, STATX_UID
    private const int TypeBits = 0xF000;

    /// <summary>Checks whether it belongs to this process's user and is a folder; null if it is another's, a link, or not
    /// there.</summary>
    public static bool? IsOwnFolder(string path) =>
        statx(WorkingFolder, path, NoFollow, TypeAndUser, out Status status) == 0 && status.User == geteuid()
            ? (status.Mode & TypeBits) switch
            {
                0x4000 => true,
                0x8000 or 0xC000 => false,   // a file, a socket
                _ => null,
            }
            : null;

    [DllImport("libc")]
    private static extern int statx(int folder, [MarshalAs(UnmanagedType.LPUTF8Str)] string path, int flags, uint mask, out Status status);

    [DllImport("libc")]
    private static extern uint geteuid();

    /// <summary>What is read of the answer, which is laid out alike on every processor.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    private struct Status
    {
        [FieldOffset(20)]
        public uint User;

        [FieldOffset(28)]
        public ushort Mode;
    }
}
