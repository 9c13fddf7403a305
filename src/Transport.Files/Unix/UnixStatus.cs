namespace Transport.Files;

/// <summary>The fields of statx(2) that are needed here.</summary>
internal readonly record struct UnixStatus(int Mode, uint User, ulong Inode, ulong Device, long Size, FileTime Modified, uint Names)
{
    private const int KindMask = 0xF000, DirectoryKind = 0x4000, LinkKind = 0xA000, FileKind = 0x8000;

    public bool IsDirectory => (Mode & KindMask) == DirectoryKind;

    public bool IsLink => (Mode & KindMask) == LinkKind;

    public bool IsFile => (Mode & KindMask) == FileKind;

    public int Permissions => Mode & 0xFFF;

    public bool IsSameAs(in UnixStatus other) => Inode == other.Inode && Device == other.Device;
}
