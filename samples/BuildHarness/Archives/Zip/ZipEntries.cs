using System;
using System.Collections.Generic;

namespace BuildHarness.Archives.Zip;

/// <summary>
/// Reads zip, entry by entry as they lie in the file. Every byte of it belongs to just one header, entry or the directory: the first entry
/// begins the file, each begins where the one before ends, the directory follows the last, and the directory's end ends the file. The
/// runtime's ZipArchive (10.0) takes names, check sums and lengths that contradict, and what is behind the end.
/// </summary>
internal sealed class ZipEntries : IEntrySource, IDisposable
{
    private readonly ArchiveFile _file;
    private readonly ArchiveLimits _limits;
    private readonly EndRecord _end;

    /// <summary>By where the entries lie; the headers themselves are read again, so that a million names need not be kept.</summary>
    private readonly (long Place, long Header)[] _entries;
    private readonly ZipContent _content;
    private int _next;
    private CentralHeader? _current;
    private byte[] _link = [];

    public ZipEntries(ArchiveFile file, ArchiveLimits limits, Budget budget)
    {
        _file = file;
        _limits = limits;
        _end = EndRecord.Read(file);
        _content = new ZipContent(file, budget);
        _entries = ReadDirectory(budget);
        Array.Sort(_entries, static (a, b) => a.Place.CompareTo(b.Place));
        long first = _entries.Length > 0 ? _entries[0].Place : _end.DirectoryStart;
        if (first != 0)
        {
            throw new ArchiveException(entry: null, FormattableString.Invariant($"{first} bytes are before its first entry"));
        }
    }

    public RawEntry? Next()
    {
        if (_current is not null)
        {
            _content.End();
            EndEntry(_current);
            _current = null;
        }

        if (_next == _entries.Length)
        {
            return null;
        }

        _file.Position = _entries[_next].Header;
        CentralHeader central = CentralHeader.Read(_file, _end.DirectoryEnd);
        _file.Position = _entries[_next++].Place;
        return Entry(central);
    }

    public int Read(Span<byte> buffer) => _current is null || _link.Length > 0 ? 0 : _content.Read(buffer);

    public void Dispose() => _content.Dispose();

    private RawEntry Entry(CentralHeader central)
    {
        Refuse(central, ZipRules.Check(central));
        if (central.Compressed > _end.DirectoryStart - central.Place)
        {
            Refuse(central, "its data reaches into the directory");
        }

        Refuse(central, LocalHeader.Read(_file, central, out byte[] local));
        Refuse(central, ZipName.Read(central, local, out byte[] name));
        Refuse(central, ZipAttributes.Read(central, name is [.., (byte)'/'], out EntryKind kind, out int mode));
        if (kind == EntryKind.Directory && central.Uncompressed > 0)
        {
            Refuse(central, "it is a folder and has content");
        }

        _content.Start(central);
        _current = central;
        _link = kind == EntryKind.SymbolicLink ? ReadLink(central) : [];
        return new RawEntry
        {
            Name = name,
            Kind = kind,
            Size = kind == EntryKind.File ? central.Uncompressed : 0,
            Mode = mode,
            Modified = ZipTime.Read(central, local, TimeZoneInfo.Local),
            LinkName = _link,
        };
    }

    private byte[] ReadLink(CentralHeader central)
    {
        if (central.Uncompressed is 0 or > 4095)
        {
            throw new ArchiveException(
                central.Name, FormattableString.Invariant($"it is a symbolic link whose target has {central.Uncompressed} bytes"));
        }

        var target = new byte[central.Uncompressed];
        for (int read = 0; read < target.Length;)
        {
            read += _content.Read(target.AsSpan(read));
        }

        return target;
    }

    /// <summary>What is between an entry's data and the next entry: nothing, or its data descriptor.</summary>
    private void EndEntry(CentralHeader central)
    {
        long next = _next < _entries.Length ? _entries[_next].Place : _end.DirectoryStart;
        string? fault = (central.Flags & LocalHeader.HasDescriptor) != 0
            ? DataDescriptor.Check(_file, next, central)
            : _file.Position < next ? FormattableString.Invariant($"{next - _file.Position} bytes lie behind it that belong to no entry")
            : _file.Position > next ? "the next entry overlaps it"
            : null;
        Refuse(central, fault);
    }

    private (long Place, long Header)[] ReadDirectory(Budget budget)
    {
        if (_end.Entries > _limits.Entries)
        {
            throw new ArchiveException(
                entry: null, FormattableString.Invariant($"it has {_end.Entries} entries, more than {_limits.Entries} (--limit-entries)"));
        }

        // Grown by what is there, not by what is claimed.
        var entries = new List<(long, long)>();
        long at = _end.DirectoryStart, names = 0, bytes = 0;
        while (entries.Count < _end.Entries)
        {
            _file.Position = at;
            CentralHeader central = CentralHeader.Read(_file, _end.DirectoryEnd);
            entries.Add((central.Place, at));
            at += central.Length;
            names += central.Name.Length;
            bytes = (long)Math.Min((ulong)bytes + (ulong)central.Uncompressed, long.MaxValue);
            budget.CheckClaim(bytes, central.Name);
            if (names > _limits.NameBytes)
            {
                throw new ArchiveException(
                    central.Name, FormattableString.Invariant($"all names together have more than {_limits.NameBytes} bytes"));
            }
        }

        return at == _end.DirectoryEnd ? [.. entries]
            : throw new ArchiveException(
                entry: null, FormattableString.Invariant($"its directory goes on behind the {_end.Entries} entries that it says it has"));
    }

    private static void Refuse(CentralHeader central, string? fault)
    {
        if (fault is not null)
        {
            throw new ArchiveException(central.Name, fault);
        }
    }
}
