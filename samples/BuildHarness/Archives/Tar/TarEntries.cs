using System;
using System.IO;
using Transport.Files;

namespace BuildHarness.Archives.Tar;

/// <summary>
/// Reads tar: v7, ustar, pax and GNU's. The runtime's TarReader (10.0) takes headers whose sum is wrong, a missing end and whatever is
/// behind the end, and a header without a sum ends it without a word.
/// </summary>
/// <param name="stream">What is in the archive, decompressed.</param>
/// <param name="limits">What it may make of itself.</param>
/// <param name="budget">Where bytes are counted.</param>
/// <param name="length">How long the archive is, if it is not compressed and its bytes are counted here; null: what decompresses counts
/// them.</param>
internal sealed class TarEntries(Stream stream, ArchiveLimits limits, Budget budget, long? length) : IEntrySource
{
    private readonly TarBlocks _blocks = new(stream);
    private TarExtension _extension = new();
    private FileTime? _globalTime;
    private long _left, _padding;
    private bool _any;

    public RawEntry? Next()
    {
        EndContent();
        budget.Current = null;
        if (_extension.Bytes > 0)
        {
            _extension = new TarExtension();
        }

        TarExtension extension = _extension;
        while (true)
        {
            ReadOnlySpan<byte> block = _blocks.Next();
            if (length is not null)
            {
                budget.Count(block.Length);
            }

            if (block.Length < TarHeader.Size)
            {
                throw new ArchiveException(entry: null, block.Length == 0
                    ? "it ends without the two blocks of zeros that end a tar archive"
                    : "it ends in the middle of a header");
            }

            if (TarHeader.IsZero(block))
            {
                if (extension.IsAny)
                {
                    throw new ArchiveException(entry: null, "it ends behind an extended header, without the entry that it is for");
                }

                End();
                return null;
            }

            var header = new TarHeader(block);
            if (!header.HasRightSum())
            {
                throw new ArchiveException(header.Name.IsEmpty || !_any ? null : header.Name.ToArray(), _any || length is not null
                    ? FormattableString.Invariant($"the check sum of its header, at byte {_blocks.Taken - TarHeader.Size}, is wrong")
                    : "what is compressed in it is no tar archive, or its first header's check sum is wrong");
            }

            _any = true;
            if (header.Type is (byte)'x' or (byte)'X' or (byte)'g' or (byte)'L' or (byte)'K')
            {
                Extend(extension, header);
            }
            else if (header.Type == (byte)'V' && !extension.IsAny && header.TryReadSize(out long size) && size == 0)
            {
                // tar --label: it names the archive, and no file.
                extension.Bytes += TarHeader.Size;
                CheckBytes(extension);
            }
            else
            {
                return Entry(header, extension);
            }
        }
    }

    public int Read(Span<byte> buffer)
    {
        if (_left == 0 || buffer.IsEmpty)
        {
            return 0;
        }

        int read = _blocks.Read(buffer[..(int)Math.Min(buffer.Length, _left)]);
        if (read == 0)
        {
            throw CutOff();
        }

        _left -= read;
        if (length is not null)
        {
            budget.Count(read);
        }

        return read;
    }

    private void EndContent()
    {
        long rest = _left + _padding;
        if (!_blocks.Skip(rest))
        {
            throw CutOff();
        }

        if (length is not null && rest > 0)
        {
            budget.Count(rest);
        }

        _left = _padding = 0;
    }

    private void Extend(TarExtension extension, TarHeader header)
    {
        byte type = header.Type;
        long at = _blocks.Taken - TarHeader.Size;
        if (!header.TryReadSize(out long size))
        {
            throw new ArchiveException(
                extension.Name, FormattableString.Invariant($"the size of an extended header, at byte {at}, is no number"));
        }

        extension.Bytes += TarHeader.Size + Math.Min(size, long.MaxValue >> 1);
        CheckBytes(extension);
        var text = new byte[(int)size];
        _left = size;
        _padding = Padding(size);
        for (int read = 0; read < text.Length;)
        {
            read += Read(text.AsSpan(read));
        }

        EndContent();
        if (type is (byte)'x' or (byte)'X')
        {
            extension.AddPax(text);
        }
        else if (type == (byte)'g')
        {
            TarExtension.ReadGlobal(text, at, ref _globalTime);
        }
        else
        {
            extension.AddGnu(type, text);
        }
    }

    private void CheckBytes(TarExtension extension)
    {
        if (extension.Bytes > limits.HeaderBytes)
        {
            throw new ArchiveException(extension.Name, FormattableString.Invariant(
                $"an entry has more than {limits.HeaderBytes} bytes of extended headers, at byte {_blocks.Taken - TarHeader.Size}"));
        }
    }

    private RawEntry Entry(TarHeader header, TarExtension extension)
    {
        byte[] name = extension.SparseName ?? extension.Name ?? Join(header.Prefix, header.Name);
        budget.Current = name;
        if (extension.Fault is { } fault)
        {
            throw new ArchiveException(name, fault);
        }

        EntryKind kind = KindOf(header.Type, name, extension);
        if (!header.TryReadSize(out long size) || !header.TryReadMode(out int mode) || !header.TryReadTime(out long seconds))
        {
            throw new ArchiveException(budget.Current, "its size, mode or time is no number");
        }

        size = extension.Size ?? size;
        budget.CheckClaim(Math.Min(size, long.MaxValue >> 1) + _blocks.Taken, name);
        if (header.Type == (byte)'D')
        {
            // tar --listed-incremental: what follows are the names that the folder had.
            _padding = size + Padding(size);
            size = 0;
        }
        else
        {
            _left = size;
            _padding = Padding(size);
        }

        if (size > 0 && kind != EntryKind.File)
        {
            throw new ArchiveException(
                budget.Current, FormattableString.Invariant($"it is a folder or link and says that {size} bytes of content follow"));
        }

        bool isLink = kind is EntryKind.SymbolicLink or EntryKind.HardLink;
        return new RawEntry
        {
            Name = name,
            Kind = kind,
            Size = size,
            Mode = mode,
            Modified = extension.Modified ?? _globalTime ?? new FileTime(seconds, 0),
            LinkName = isLink ? extension.LinkName ?? header.LinkName.ToArray() : [],
        };
    }

    private EntryKind KindOf(byte type, byte[] name, TarExtension extension)
    {
        if (extension.IsSparse || type == (byte)'S')
        {
            throw new ArchiveException(budget.Current, "it is a sparse file, stored without its holes; that is not read here (tar "
                + "--sparse made it, and without that option it is read)");
        }

        // Before there was a type for folders, a slash at the end made one.
        return type switch
        {
            (byte)'0' or 0 or (byte)'7' => name is [.., (byte)'/'] ? EntryKind.Directory : EntryKind.File,
            (byte)'1' => EntryKind.HardLink,
            (byte)'2' => EntryKind.SymbolicLink,
            (byte)'5' or (byte)'D' => EntryKind.Directory,
            (byte)'3' or (byte)'4' => throw new ArchiveException(budget.Current, "it is a device"),
            (byte)'6' => throw new ArchiveException(budget.Current, "it is a fifo"),
            (byte)'M' => throw new ArchiveException(budget.Current, "it is the rest of a file of another volume"),
            (byte)'V' => throw new ArchiveException(budget.Current, "it is a volume's label, and has a long name or content"),
            _ => throw new ArchiveException(budget.Current, type is > 0x20 and < 0x7f
                ? $"its type, {(char)type}, is unknown"
                : FormattableString.Invariant($"its type, 0x{type:x2}, is unknown")),
        };
    }

    private void End()
    {
        ReadOnlySpan<byte> block = _blocks.Next();
        if (block.Length < TarHeader.Size || !TarHeader.IsZero(block))
        {
            throw new ArchiveException(entry: null, "it has one block of zeros where a tar archive ends with two");
        }

        // What is only long is refused before all of it is read.
        if (length is { } whole)
        {
            budget.CheckClaim(whole, entry: null);
        }

        // Archives are filled up with zeros to whole records. All of it is read: what decompresses has its own end to check.
        do
        {
            if (length is not null)
            {
                budget.Count(block.Length);
            }

            block = _blocks.Next();
            if (!TarHeader.IsZero(block))
            {
                throw new ArchiveException(entry: null, "something is behind the end of the tar archive");
            }
        }
        while (block.Length > 0);
    }

    private static long Padding(long size) => -size & (TarHeader.Size - 1);

    private static byte[] Join(ReadOnlySpan<byte> prefix, ReadOnlySpan<byte> name)
    {
        if (prefix.IsEmpty)
        {
            return name.ToArray();
        }

        var joined = new byte[prefix.Length + 1 + name.Length];
        prefix.CopyTo(joined);
        joined[prefix.Length] = (byte)'/';
        name.CopyTo(joined.AsSpan(prefix.Length + 1));
        return joined;
    }

    private ArchiveException CutOff() => new(
        budget.Current, budget.Current is null ? "it ends in the middle of an extended header" : "the archive ends in the middle of it");
}
