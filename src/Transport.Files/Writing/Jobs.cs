using System.Threading.Tasks;
using System;

namespace Transport.Files;

/// <summary>A directory with an entry of its own.</summary>
/// <param name="core">The output.</param>
/// <param name="folder">The directory.</param>
internal sealed class FolderJob(OutputCore core, Folder folder) : EntryJob(core, "directory", folder)
{
    /// <inheritdoc/>
    public override string Path => Parent.Path;

    /// <inheritdoc/>
    protected override void Create(Writer writer) => Tree.CreateDirectory(Parent);
}

/// <summary>A symbolic link.</summary>
/// <param name="core">The output.</param>
/// <param name="parent">The link's directory.</param>
/// <param name="name">The link's name.</param>
/// <param name="target">The text it holds.</param>
/// <param name="modified">Its own time, or null.</param>
internal sealed class LinkJob(OutputCore core, Folder parent, string name, string target, FileTime? modified)
    : EntryJob(core, "link", parent)
{
    /// <inheritdoc/>
    public override string Path => Parent.PathOf(name);

    /// <inheritdoc/>
    protected override void Create(Writer writer)
    {
        Tree.CreateSymbolicLink(Parent, name, target, modified);
        writer.Links++;
    }
}

/// <summary>Bytes of one file that wait for a writer: a pooled segment, or the caller's own memory.</summary>
internal readonly struct Chunk
{
    /// <summary>Initializes a new instance of the <see cref="Chunk"/> struct with a pooled segment.</summary>
    /// <param name="segment">The segment, charged to the budget.</param>
    public Chunk(Segment segment) => Segment = segment;

    /// <summary>Initializes a new instance of the <see cref="Chunk"/> struct with the caller's memory.</summary>
    /// <param name="lent">The memory.</param>
    public Chunk(LentMemory lent) => Lent = lent;

    /// <summary>Gets the segment, or null.</summary>
    public Segment? Segment { get; }

    /// <summary>Gets the caller's memory, or null.</summary>
    public LentMemory? Lent { get; }

    /// <summary>Gets the bytes.</summary>
    public ReadOnlySpan<byte> Bytes => Segment is null ? Lent!.Bytes.Span : Segment.Array.AsSpan(0, Segment.Used);
}

/// <summary>A caller's memory, which is the caller's again when this is completed. It is not charged, because its caller waits.</summary>
/// <param name="bytes">The memory.</param>
internal sealed class LentMemory(ReadOnlyMemory<byte> bytes)
    : TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously)
{
    /// <summary>Gets the memory.</summary>
    public ReadOnlyMemory<byte> Bytes { get; } = bytes;
}
