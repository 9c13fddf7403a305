namespace BuildHarness.Archives.Zip;

/// <summary>The kind and mode of a zip entry.</summary>
internal static class ZipAttributes
{
    public const int Dos = 0, Unix = 3, MacOS = 19;
    private const int TypeMask = 0xf000, Fifo = 0x1000, Character = 0x2000, Folder = 0x4000, Block = 0x6000, Regular = 0x8000,
        Link = 0xa000, Socket = 0xc000;
    private const int FileMode = 0x1a4, FolderMode = 0x1ed;

    /// <param name="central">The entry.</param>
    /// <param name="endsInSlash">Whether its name says that it is a folder.</param>
    /// <param name="kind">What it becomes.</param>
    /// <param name="mode">Its permissions.</param>
    /// <returns>Why it is refused, or null.</returns>
    public static string? Read(CentralHeader central, bool endsInSlash, out EntryKind kind, out int mode)
    {
        kind = endsInSlash ? EntryKind.Directory : EntryKind.File;
        int unix = (int)(central.Attributes >> 16), type = unix & TypeMask;
        bool isUnix = central.System is Unix or MacOS;

        // What `zip x.zip -` reads from a pipe it stores under that name, and marks it as what it was read from. No pipe itself has
        // content.
        bool isFromPipe = type is Fifo or Socket && (central.Uncompressed > 0 || central.Name is [(byte)'-']);
        string? fault = !isUnix || isFromPipe ? null : type switch
        {
            Fifo => "it is a fifo",
            Socket => "it is a socket",
            Character or Block => "it is a device",
            Link when endsInSlash => "it is a symbolic link by its mode and a folder by its name",
            Folder when !endsInSlash => "it is a folder by its mode and a file by its name",
            0 or Regular or Folder or Link => null,
            _ => "its mode is of no known kind",
        };
        kind = isUnix && type == Link ? EntryKind.SymbolicLink : kind;

        // PKZIP for Unix says DOS and has a Unix mode all the same; one that contradicts the DOS bits is none.
        bool readOnly = (central.Attributes & 1) != 0;
        int owner = 0x100 | (readOnly ? 0 : 0x80) | (endsInSlash ? 0x40 : 0);
        bool hasMode = isUnix ? unix != 0 && !(endsInSlash && type != Folder) : unix != 0 && (unix & 0x1c0) == owner;
        mode = hasMode ? unix & 0x1ff : endsInSlash ? FolderMode : FileMode;
        return fault;
    }
}
