using Transport.Files;

namespace BuildHarness.Archives;

/// <summary>An entry as its format reports it: effective values (extended headers applied), nothing judged yet.</summary>
internal sealed class RawEntry
{
    public required byte[] Name { get; init; }

    public required EntryKind Kind { get; init; }

    public long Size { get; init; }

    /// <summary>Gets the permissions, 0 to 0777.</summary>
    public required int Mode { get; init; }

    public FileTime? Modified { get; init; }

    public byte[] LinkName { get; init; } = [];
}
