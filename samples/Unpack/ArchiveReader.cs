using System;
using System.IO;
using System.IO.Compression;
using System.Runtime.CompilerServices;
using System.Text;
using Mono.Unix.Native;

namespace Unpack;

/// <summary>The kinds of archives that can be read.</summary>
internal enum ArchiveFormat
{
    Zip,
    Tar,
    GzippedTar,
}

/// <summary>
/// Reads an archive entry by entry, and hands out only what may be made of it: each entry's name, kind and place is checked against all
/// before it. What is known only at the end (check sums, lengths, trailers) is checked there, so nothing may be kept of an archive whose
/// end was not reached. For one thread.
/// </summary>
internal sealed class ArchiveReader : IDisposable
{
    /// <summary>Why a pipe will not do: a directory at the end is read first.</summary>
    private const string NoFile = "it is a pipe or device, and an archive is not read in one go; save it as a file first (cat PIPE > FILE)";

    private readonly FileStream _file;
    private readonly IEntrySource _source;
    private readonly ArchiveLimits _limits;
    private readonly PathTable _paths;
    private readonly bool _onWindows;
    private long _nameBytes;
    private int _entries;

    private ArchiveReader(FileStream file, ArchiveLimits limits, bool foldsNames, bool onWindows)
    {
        _file = file;
        _limits = limits;
        _onWindows = onWindows;
        _paths = new PathTable(foldsNames, limits.Entries);
        Format = FormatOf(file);
        file.Position = 0;
        var budget = new Budget(limits, Format == ArchiveFormat.Tar ? null : file.Length);
        _source = Format switch
        {
            ArchiveFormat.Zip => new ZipSource(file, limits, budget),
            ArchiveFormat.Tar => new TarSource(file, limits, budget, file.Length),
            _ => new TarSource(new GzipSource(file), limits, budget, length: null),
        };
    }

    public ArchiveFormat Format { get; }

    /// <summary>Gets the content of the entry that <see cref="Next"/> gave last, until its next call.</summary>
    public Stream Content => field ??= new EntryContent(_source);

    /// <param name="path">The archive; its content shows its kind.</param>
    /// <param name="limits">What it may make of itself.</param>
    /// <param name="foldsNames">Whether the file system takes names for one that differ in case or in how accents are composed.</param>
    /// <param name="onWindows">Whether backslashes and colons mean something in paths; null: as on this system.</param>
    /// <exception cref="ArchiveException">It is none, or one that is refused as a whole.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    public static ArchiveReader Open(string path, ArchiveLimits limits, bool foldsNames = false, bool? onWindows = null)
    {
        FileStream file = OpenFile(path);
        try
        {
            return new ArchiveReader(file, limits, foldsNames, onWindows ?? OperatingSystem.IsWindows());
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Goes to the next entry; what was not read of the current one's content is read and checked first.</summary>
    /// <returns>The entry, or null if the archive has ended and all of it was right.</returns>
    /// <exception cref="ArchiveException">The archive is refused.</exception>
    /// <exception cref="IOException">It cannot be read.</exception>
    public ArchiveEntry? Next() => _source.Next() is { } raw ? Check(raw) : null;

    public void Dispose()
    {
        _source.Dispose();
        _file.Dispose();
    }

    private static FileStream OpenFile(string path)
    {
        if (Directory.Exists(path))
        {
            throw new IOException("it is a folder");
        }

        // To open a pipe would wait for somebody who writes. It has no length: the library that can report is loaded only then, which takes
        // 10 ms.
        var there = new FileInfo(path);
        if (!OperatingSystem.IsWindows() && there.Exists && (there.Length == 0 || there.LinkTarget is not null) && IsNoFile(path))
        {
            throw new IOException(NoFile);
        }

        return new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.Read, 256 << 10, FileOptions.SequentialScan);
    }

    /// <summary>A method of its own, so that who does not call it does not load what it needs.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool IsNoFile(string path) => Syscall.stat(path, out Stat stat) == 0
        && (stat.st_mode & FilePermissions.S_IFMT) != FilePermissions.S_IFREG;

    /// <exception cref="ArchiveException">It is none of those that can be read.</exception>
    private static ArchiveFormat FormatOf(FileStream file)
    {
        if (file.Length == 0)
        {
            throw new ArchiveException(entry: null, "it is empty");
        }

        Span<byte> start = stackalloc byte[TarHeaders.Block];
        start = start[..file.ReadAtLeast(start, start.Length, throwOnEndOfStream: false)];
        return start is [0x1f, 0x8b, ..] ? ArchiveFormat.GzippedTar
            : start.Length == TarHeaders.Block && TarHeaders.LooksLikeOne(start) ? ArchiveFormat.Tar
            : start is [(byte)'P', (byte)'K', 3 or 5, ..] || ZipDirectory.IsThere(file) ? ArchiveFormat.Zip
            : throw new ArchiveException(entry: null, "it is neither zip nor tar nor tar.gz");
    }

    private ArchiveEntry Check(RawEntry raw)
    {
        if (++_entries > _limits.Entries)
        {
            throw Refuse(raw, FormattableString.Invariant($"there are more than {_limits.Entries} entries (--limit-entries)"));
        }

        _nameBytes += Encoding.UTF8.GetByteCount(raw.Name) + Encoding.UTF8.GetByteCount(raw.LinkName);
        if (_nameBytes > _limits.NameBytes)
        {
            throw Refuse(raw, FormattableString.Invariant($"all names together have more than {_limits.NameBytes} bytes"));
        }

        if (EntryPath.Normalize(raw.Name, _onWindows, out string path) is { } fault)
        {
            throw Refuse(raw, fault);
        }

        EntryKind counted = raw.Kind;
        string link = raw.Kind switch
        {
            EntryKind.SymbolicLink => SymbolicTarget(raw),
            EntryKind.HardLink => HardTarget(raw, out counted),
            _ => string.Empty,
        };
        if (_paths.Add(path, counted) is { } taken)
        {
            throw Refuse(raw, taken);
        }

        return new ArchiveEntry
        {
            Path = path,
            Kind = raw.Kind,
            Size = raw.Size,
            Mode = raw.Mode,
            Modified = raw.Modified,
            LinkName = link,
        };
    }

    private static string SymbolicTarget(RawEntry raw)
    {
        string target = raw.LinkName;
        return target.Length == 0 ? throw Refuse(raw, "the symbolic link has no target")
            : Encoding.UTF8.GetByteCount(target) is > EntryPath.MostPath and var bytes
                ? throw Refuse(raw, $"the symbolic link's target has {bytes} bytes, more than {EntryPath.MostPath}")
            : target.Contains('\0', StringComparison.Ordinal) ? throw Refuse(raw, "a NUL is in the symbolic link's target")
            : target.Contains('\uFFFD', StringComparison.Ordinal) ? throw Refuse(raw, "the symbolic link's target is not UTF-8")
            : target;
    }

    private string HardTarget(RawEntry raw, out EntryKind kind)
    {
        if (EntryPath.Normalize(raw.LinkName, _onWindows, out string target) is { } fault)
        {
            throw Refuse(raw, $"of what the hard link names, {ArchiveException.Show(raw.LinkName)}: {fault}");
        }

        return _paths.FindTarget(target, out kind) is { } wrong
            ? throw Refuse(raw, $"{wrong}: {ArchiveException.Show(raw.LinkName)}") : target;
    }

    private static ArchiveException Refuse(RawEntry raw, string reason) => new(raw.Name, reason);

    private sealed class EntryContent(IEntrySource source) : ForwardStream
    {
        public override int Read(Span<byte> buffer) => source.Read(buffer);
    }
}
