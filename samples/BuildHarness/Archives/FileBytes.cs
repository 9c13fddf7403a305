using System;

namespace BuildHarness.Archives;

/// <summary>A file from its beginning to its end.</summary>
internal sealed class FileBytes : ForwardStream
{
    private readonly ArchiveFile _file;

    public FileBytes(ArchiveFile file)
    {
        _file = file;
        file.Position = 0;
    }

    public override int Read(Span<byte> buffer) => _file.Read(buffer);
}
