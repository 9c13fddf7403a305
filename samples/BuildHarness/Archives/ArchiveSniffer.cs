using System;
using System.Buffers.Binary;
using BuildHarness.Archives.Tar;
using BuildHarness.Archives.Zip;

namespace BuildHarness.Archives;

/// <summary>The kinds of archives that can be read.</summary>
internal enum ArchiveFormat
{
    Zip,
    Tar,
    GzippedTar,
}

/// <summary>Finds an archive's kind by its content. Names lie.</summary>
internal static class ArchiveSniffer
{
    /// <exception cref="ArchiveException">It is none of those that can be read.</exception>
    public static ArchiveFormat FormatOf(ArchiveFile file)
    {
        if (file.Length == 0)
        {
            throw new ArchiveException(entry: null, "it is empty");
        }

        file.Position = 0;
        ReadOnlySpan<byte> start = file.Peek(TarHeader.Size);
        uint first = start.Length >= 4 ? BinaryPrimitives.ReadUInt32LittleEndian(start) : 0;
        if (start is [0x1f, 0x8b, ..])
        {
            return ArchiveFormat.GzippedTar;
        }

        if (first is LocalHeader.Signature or EndRecord.Signature)
        {
            return ArchiveFormat.Zip;
        }

        if (start.Length == TarHeader.Size && TarHeader.LooksLikeOne(start))
        {
            return ArchiveFormat.Tar;
        }

        // A directory at the end and something else in front: the reader says what is wrong with it.
        bool endsAsZip = EndRecord.IsThere(file);
        file.Position = 0;
        return endsAsZip ? ArchiveFormat.Zip : throw new ArchiveException(entry: null, "it is neither zip nor tar nor tar.gz");
    }
}
