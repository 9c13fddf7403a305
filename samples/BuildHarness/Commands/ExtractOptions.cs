using Transport.Files;
using Unpack;

namespace BuildHarness.Commands;

/// <summary><c>extract FILE DIR</c>.</summary>
internal sealed record ExtractOptions : CommonOptions
{
    /// <summary>Gets the archive.</summary>
    public required string File { get; init; }

    /// <summary>Gets the folder that appears.</summary>
    public required string Directory { get; init; }

    /// <summary>Gets how many threads write; null: the library's default.</summary>
    public int? Writers { get; init; }

    public FileIo Io { get; init; } = FileIo.Auto;

    public FileSync Sync { get; init; } = FileSync.None;

    /// <summary>Gets a value indicating whether files, folders and links get the archive's times.</summary>
    public bool Times { get; init; } = true;

    public ArchiveLimits Limits { get; init; } = new();

    /// <summary>Gets where the trace goes, or null.</summary>
    public string? Trace { get; init; }
}
