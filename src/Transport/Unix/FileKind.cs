namespace Transport;

/// <summary>What a file is: S_IFMT of its mode.</summary>
internal enum FileKind
{
    Pipe = 0x1000,
    CharacterDevice = 0x2000,
    Directory = 0x4000,
    BlockDevice = 0x6000,
    Regular = 0x8000,
    SymbolicLink = 0xA000,
    Socket = 0xC000,
}
