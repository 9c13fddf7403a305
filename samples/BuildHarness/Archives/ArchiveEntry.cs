using Transport.Files;

namespace BuildHarness.Archives;

/// <summary>What an entry becomes.</summary>
internal enum EntryKind
{
    File,
    Directory,
    SymbolicLink,
    HardLink,
}

/// <summary>An entry whose name, kind and place have been checked.</summary>
internal sealed class ArchiveEntry
{
    /// <summary>Gets the path in the tree: components parted by <c>/</c>, no <c>.</c>, <c>..</c> or empty ones; empty for the tree's root.
    /// Bytes that are no UTF-8 are in it as <see cref="EntryName"/> puts them.</summary>
    public required string Path { get; init; }

    public required EntryKind Kind { get; init; }

    /// <summary>Gets how many bytes of content follow; 0 for what has none.</summary>
    public required long Size { get; init; }

    /// <summary>Gets the permissions, 0 to 0777, before the umask.</summary>
    public required int Mode { get; init; }

    /// <summary>Gets when it was last modified, or null if the archive does not say.</summary>
    public FileTime? Modified { get; init; }

    /// <summary>Gets a symbolic link's target as it is, or the path (as <see cref="Path"/>) of the earlier entry that a hard link names;
    /// else empty.</summary>
    public string LinkName { get; init; } = string.Empty;
}
