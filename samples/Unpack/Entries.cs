using System;
using Transport.Files;

namespace Unpack;

/// <summary>What an entry becomes.</summary>
internal enum EntryKind
{
    File,
    Directory,
    SymbolicLink,
    HardLink,
}

/// <summary>An entry as its format reports it: effective values (extended headers applied), nothing judged yet.</summary>
internal sealed class RawEntry
{
    public required string Name { get; init; }

    public required EntryKind Kind { get; init; }

    public long Size { get; init; }

    /// <summary>Gets the permissions, 0 to 0777.</summary>
    public required int Mode { get; init; }

    public FileTime? Modified { get; init; }

    public string LinkName { get; init; } = string.Empty;
}

/// <summary>An entry whose name, kind and place have been checked.</summary>
internal sealed class ArchiveEntry
{
    /// <summary>Gets the path in the tree: components parted by <c>/</c>, no <c>.</c>, <c>..</c> or empty ones; empty for the tree's
    /// root.</summary>
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

/// <summary>A format's forward reader. Every fault is an <see cref="ArchiveException"/>; a file that cannot be read is an
/// <see cref="System.IO.IOException"/>.</summary>
internal interface IEntrySource : IDisposable
{
    /// <summary>Goes to the next entry; what is left of the current one's content is read and checked first.</summary>
    /// <returns>The entry, or null if the archive has ended as it should.</returns>
    RawEntry? Next();

    /// <summary>Reads on in the current entry's content.</summary>
    /// <returns>How many bytes; 0 at the end, and then all that the format promises of the content holds.</returns>
    int Read(Span<byte> buffer);
}
