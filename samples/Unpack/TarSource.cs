using System;
using System.Collections.Generic;
using System.Formats.Tar;
using System.Globalization;
using System.IO;
using System.Linq;
using Transport.Files;

namespace Unpack;

/// <summary>The entries of a tar archive, by <see cref="TarReader"/>.</summary>
internal sealed class TarSource : IEntrySource
{
    private const int Permissions = 0x1ff;

    private readonly TarHeaders _headers;
    private readonly TarReader _reader;
    private readonly Budget _budget;
    private readonly Stream _stream;
    private readonly long? _length;
    private FileTime? _globalTime;
    private Stream? _content;

    /// <param name="stream">The archive, decompressed.</param>
    /// <param name="limits">What it may make of itself.</param>
    /// <param name="budget">Where bytes are counted.</param>
    /// <param name="length">How long it is, if that is known.</param>
    public TarSource(Stream stream, ArchiveLimits limits, Budget budget, long? length)
    {
        (_stream, _budget, _length) = (stream, budget, length);
        _headers = new TarHeaders(stream, limits, budget);
        _reader = new TarReader(_headers, leaveOpen: true);
    }

    public RawEntry? Next()
    {
        _content = null;
        while (true)
        {
            TarEntry? entry = Caught(() => _reader.GetNextEntry(copyData: false));
            _budget.Current = null;
            if (entry is null)
            {
                // What is only long is refused before all of it is read.
                _budget.CheckClaim(_length ?? 0, entry: null);
                Caught(() => _headers.ReadEnd());
                return null;
            }

            if (Take(entry) is { } raw)
            {
                return raw;
            }
        }
    }

    public int Read(Span<byte> buffer)
    {
        if (_content is null)
        {
            return 0;
        }

        try
        {
            return _content.Read(buffer);
        }
        catch (Exception e) when (IsFault(e))
        {
            throw Refused(e);
        }
    }

    public void Dispose()
    {
        _reader.Dispose();
        _stream.Dispose();
    }

    /// <returns>Null: it is a header for others, or a label.</returns>
    private RawEntry? Take(TarEntry entry)
    {
        long size = entry.Length;
        string name = entry.Name;
        if (entry is PaxGlobalExtendedAttributesTarEntry global)
        {
            ReadGlobal(global.GlobalExtendedAttributes);
            return null;
        }

        _headers.ContentFollows(size);
        if (entry.EntryType == TarEntryType.TapeVolume && size == 0)
        {
            _headers.AddExtended(TarHeaders.Block);   // tar --label: it names the archive, and no file
            return null;
        }

        _budget.Current = name;
        _headers.EntryTaken();
        IReadOnlyDictionary<string, string>? pax = (entry as PaxTarEntry)?.ExtendedAttributes;
        if (pax?.Keys.Any(key => key.StartsWith("GNU.sparse.", StringComparison.Ordinal)) is true)
        {
            throw new ArchiveException(pax.GetValueOrDefault("GNU.sparse.name") ?? name, TarHeaders.Sparse);
        }

        EntryKind kind = KindOf(entry);
        _budget.CheckClaim(Math.Min(size, long.MaxValue >> 1) + _headers.Taken, name);
        bool isFile = kind == EntryKind.File;
        _content = isFile ? entry.DataStream : null;
        return new RawEntry
        {
            Name = name,
            Kind = kind,
            Size = isFile ? size : 0,
            Mode = (int)entry.Mode & Permissions,
            Modified = TimeOf(name, pax?.GetValueOrDefault("mtime")) ?? _globalTime ?? FileTime.From(entry.ModificationTime),
            LinkName = kind is EntryKind.SymbolicLink or EntryKind.HardLink ? entry.LinkName : string.Empty,
        };
    }

    private void ReadGlobal(IReadOnlyDictionary<string, string> attributes)
    {
        foreach (string key in attributes.Keys)
        {
            if (key is "path" or "linkpath" or "size" || key.StartsWith("GNU.sparse.", StringComparison.Ordinal))
            {
                throw new ArchiveException(
                    entry: null, $"a global pax header sets the {ArchiveException.Show(key)} of all entries, at byte {_headers.HeaderAt}");
            }
        }

        _globalTime = TimeOf(name: null, attributes.GetValueOrDefault("mtime")) ?? _globalTime;
    }

    private static EntryKind KindOf(TarEntry entry) => entry.EntryType switch
    {
        // Before there was a type for folders, a slash at the end made one.
        TarEntryType.RegularFile or TarEntryType.V7RegularFile or TarEntryType.ContiguousFile =>
            entry.Name.EndsWith('/') ? EmptyFolder(entry) : EntryKind.File,
        TarEntryType.HardLink => EntryKind.HardLink,
        TarEntryType.SymbolicLink => EntryKind.SymbolicLink,
        TarEntryType.Directory or TarEntryType.DirectoryList => EntryKind.Directory,
        TarEntryType.CharacterDevice or TarEntryType.BlockDevice => throw new ArchiveException(entry.Name, "it is a device"),
        TarEntryType.Fifo => throw new ArchiveException(entry.Name, "it is a fifo"),
        TarEntryType.MultiVolume => throw new ArchiveException(entry.Name, "it is the rest of a file of another volume"),
        TarEntryType.TapeVolume => throw new ArchiveException(entry.Name, "it is a volume's label, and has a long name or content"),
        var type => throw new ArchiveException(entry.Name, (byte)type is > 0x20 and < 0x7f
            ? $"its type, {(char)type}, is unknown"
            : FormattableString.Invariant($"its type, 0x{(byte)type:x2}, is unknown")),
    };

    private static EntryKind EmptyFolder(TarEntry entry) => entry.Length == 0 ? EntryKind.Directory : throw new ArchiveException(
        entry.Name, FormattableString.Invariant($"it is a folder or link and says that {entry.Length} bytes of content follow"));

    /// <summary>A time of a pax header has nanoseconds, of which <see cref="DateTimeOffset"/> loses two digits.</summary>
    /// <exception cref="ArchiveException">It is none.</exception>
    private static FileTime? TimeOf(string? name, string? text)
    {
        const int Digits = 9;
        if (text is null)
        {
            return null;
        }

        int dot = text.IndexOf('.', StringComparison.Ordinal);
        ReadOnlySpan<char> whole = dot < 0 ? text : text.AsSpan(0, dot);
        string fraction = dot < 0 ? string.Empty : text[(dot + 1)..];
        if (!long.TryParse(whole, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long seconds)
            || fraction.AsSpan().ContainsAnyExceptInRange('0', '9'))
        {
            throw new ArchiveException(name, name is null ? "a global pax header's mtime is no time" : "its pax mtime is no time");
        }

        int nanoseconds = fraction.Length == 0 ? 0
            : int.Parse(fraction.PadRight(Digits, '0').AsSpan(0, Digits), CultureInfo.InvariantCulture);
        return text[0] != '-' || fraction.AsSpan().TrimEnd('0').IsEmpty ? new FileTime(seconds, nanoseconds)
            : nanoseconds == 0 ? new FileTime(seconds - 1) : new FileTime(seconds - 1, 1_000_000_000 - nanoseconds);
    }

    private static bool IsFault(Exception e) =>
        e is InvalidDataException or EndOfStreamException or FormatException or ArgumentException or OverflowException
            or NotSupportedException;

    private ArchiveException Refused(Exception e) => new(_budget.Current, e is EndOfStreamException
        ? "the archive ends in the middle of it" : $"it makes no sense ({e.Message})");

    private T Caught<T>(Func<T> read)
    {
        try
        {
            return read();
        }
        catch (Exception e) when (IsFault(e))
        {
            throw Refused(e);
        }
    }

    private void Caught(Action read) => Caught(() =>
    {
        read();
        return true;
    });
}
