using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Transport.Files;

namespace Unpack;

/// <summary>Hands an archive's entries to a <see cref="FileOutput"/>, in their order, from one thread.</summary>
internal sealed class Extractor(ArchiveReader archive, FileOutput output)
{
    /// <summary>Files up to here are read whole, and checked, before they are handed over; larger ones as they come.</summary>
    private const int SmallFile = 256 << 10;

    /// <summary>How many entries are handed over between two collections of all memory. Names that are kept and jobs that are done grow old
    /// together; left alone, the runtime lets such memory double before it looks.</summary>
    private const int EntriesACollection = 1 << 17;

    private readonly byte[] _buffer = new byte[SmallFile], _more = new byte[1];

    /// <exception cref="ArchiveException">The archive is refused.</exception>
    /// <exception cref="Transport.TransportException">Something could not be written.</exception>
    /// <exception cref="IOException">The archive cannot be read.</exception>
    /// <exception cref="OperationCanceledException">Cancelled. In each of these cases nothing is published once the output is
    /// disposed.</exception>
    public async Task<FileReceipt> RunAsync(CancellationToken cancellation)
    {
        for (int entries = 1; archive.Next() is { } entry; entries++)
        {
            cancellation.ThrowIfCancellationRequested();
            Write(entry, cancellation);
            if (entries % EntriesACollection == 0)
            {
                GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
            }
        }

        return await output.CompleteAsync(cancellation).ConfigureAwait(false);
    }

    private void Write(ArchiveEntry entry, CancellationToken cancellation)
    {
        var file = new FileEntry { Mode = entry.Mode, Modified = entry.Modified };
        switch (entry.Kind)
        {
            case EntryKind.Directory:
                output.CreateDirectory(entry.Path.Length == 0 ? "." : entry.Path, file);
                break;
            case EntryKind.SymbolicLink:
                output.CreateSymbolicLink(entry.Path, entry.LinkName, entry.Modified);
                break;
            case EntryKind.HardLink:
                output.CreateHardLink(entry.Path, entry.LinkName);
                break;
            case EntryKind.File when entry.Size <= SmallFile:
                output.Write(entry.Path, ReadWhole((int)entry.Size), file);
                break;
            default:
                output.Write(entry.Path, new Cancellable(archive.Content, cancellation), file with { Length = entry.Size });
                break;
        }
    }

    private ReadOnlyMemory<byte> ReadWhole(int size)
    {
        int length = 0;
        while (length < size && archive.Content.Read(_buffer, length, size - length) is > 0 and int read)
        {
            length += read;
        }

        // Its end is where the check sum is compared; a length that is not the one said is refused there or by the next.
        return archive.Content.Read(_more, 0, 1) == 0 ? _buffer.AsMemory(0, length)
            : throw new InvalidOperationException("An entry gave more than its size.");
    }

    /// <summary>A file of gigabytes is not read to its end after Ctrl+C.</summary>
    private sealed class Cancellable(Stream content, CancellationToken cancellation) : ForwardStream
    {
        public override int Read(Span<byte> buffer)
        {
            cancellation.ThrowIfCancellationRequested();
            return content.Read(buffer);
        }
    }
}
