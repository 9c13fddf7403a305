using System;
using System.IO;
using System.IO.Compression;
using System.IO.Hashing;
using System.Text;
using Transport.Files;

namespace Unpack;

/// <summary>The entries of a zip file, by <see cref="ZipArchive"/>, in the order of its directory.</summary>
internal sealed class ZipSource : IEntrySource
{
    private const int TypeMask = 0xf000, Fifo = 0x1000, Character = 0x2000, Folder = 0x4000, Block = 0x6000, Regular = 0x8000,
        Link = 0xa000, Socket = 0xc000;
    private const int Permissions = 0x1ff, FileMode = 0x1a4, FolderMode = 0x1ed;

    private readonly ZipArchive _zip;
    private readonly Budget _budget;
    private readonly Crc32 _sum = new();
    private readonly byte[] _rest = new byte[16 << 10];
    private ZipArchiveEntry? _entry;
    private Stream? _content;
    private int _next;
    private long _given;

    /// <exception cref="ArchiveException">It has no directory, or one of too many entries.</exception>
    public ZipSource(FileStream file, ArchiveLimits limits, Budget budget)
    {
        _budget = budget;
        ZipDirectory.Check(file, limits);
        try
        {
            _zip = new ZipArchive(file, ZipArchiveMode.Read, leaveOpen: true);
            long claimed = 0;
            foreach (ZipArchiveEntry entry in _zip.Entries)
            {
                claimed += entry.Length;
                budget.CheckClaim(claimed, entry.FullName);
            }
        }
        catch (InvalidDataException e)
        {
            throw new ArchiveException(entry: null, $"its directory makes no sense ({e.Message})");
        }
    }

    public RawEntry? Next()
    {
        while (Read(_rest) > 0)
        {
        }

        if (_next == _zip.Entries.Count)
        {
            return null;
        }

        ZipArchiveEntry entry = _zip.Entries[_next++];
        _entry = entry;
        string name = entry.FullName;
        if (Fault(entry, out EntryKind kind, out int mode) is { } fault)
        {
            throw new ArchiveException(name, fault);
        }

        Open(entry);
        return new RawEntry
        {
            Name = name,
            Kind = kind,
            Size = kind == EntryKind.File ? entry.Length : 0,
            Mode = mode,
            // 1980-01-01 is what reproducible archives have, and what is shown of an entry without a date.
            Modified = FileTime.From(entry.LastWriteTime),
            LinkName = kind == EntryKind.SymbolicLink ? ReadTarget((int)entry.Length) : string.Empty,
        };
    }

    public int Read(Span<byte> buffer)
    {
        if (_content is null || buffer.IsEmpty)
        {
            return 0;
        }

        int read = Caught(_content, buffer);
        if (read > 0)
        {
            _given += read;
            _sum.Append(buffer[..read]);
            _budget.Count(read, _entry!.FullName);
            return read;
        }

        _content.Dispose();
        _content = null;
        return _given != _entry!.Length
                ? throw Refuse(FormattableString.Invariant($"it has {_given} bytes, not the {_entry.Length} that its header says"))
            : _sum.GetCurrentHashAsUInt32() != _entry.Crc32 ? throw Refuse("its check sum is wrong")
            : 0;
    }

    public void Dispose()
    {
        _content?.Dispose();
        _zip.Dispose();
    }

    private static string? Fault(ZipArchiveEntry entry, out EntryKind kind, out int mode)
    {
        string name = entry.FullName;
        bool endsInSlash = name.EndsWith('/');
        int unix = (entry.ExternalAttributes >> 16) & 0xffff, type = unix & TypeMask;
        kind = type == Link ? EntryKind.SymbolicLink : endsInSlash ? EntryKind.Directory : EntryKind.File;
        mode = unix != 0 && !(endsInSlash && type != Folder) ? unix & Permissions : endsInSlash ? FolderMode : FileMode;

        // What `zip x.zip -` reads from a pipe it stores under that name, and marks it as what it was read from. No pipe itself has
        // content.
        bool isFromPipe = type is Fifo or Socket && (entry.Length > 0 || name == "-");
        return name.Contains('\\', StringComparison.Ordinal) ? "a backslash is in its name"
            : entry.IsEncrypted ? "it is encrypted"
            : isFromPipe && !endsInSlash ? null
            : type switch
            {
                Link when endsInSlash => "it is a symbolic link by its mode and a folder by its name",
                Link when entry.Length is 0 or > EntryPath.MostPath =>
                    FormattableString.Invariant($"it is a symbolic link whose target has {entry.Length} bytes"),
                _ when endsInSlash && entry.Length > 0 => "it is a folder and has content",
                Folder when !endsInSlash => "it is a folder by its mode and a file by its name",
                Fifo => "it is a fifo",
                Socket => "it is a socket",
                Character or Block => "it is a device",
                0 or Regular or Folder or Link => null,
                _ => "its mode is of no known kind",
            };
    }

    private void Open(ZipArchiveEntry entry)
    {
        _given = 0;
        _sum.Reset();
        try
        {
            _content = entry.Open();
        }
        catch (Exception e) when (e is InvalidDataException or NotSupportedException)
        {
            throw Refuse($"it makes no sense, or is compressed in a way that is not read here ({e.Message})");
        }
    }

    private string ReadTarget(int length)
    {
        var target = new byte[length];
        int read = 0;
        while (read < length && Read(target.AsSpan(read)) is > 0 and var more)
        {
            read += more;
        }

        return Encoding.UTF8.GetString(target, 0, read);
    }

    private int Caught(Stream content, Span<byte> buffer)
    {
        try
        {
            return content.Read(buffer);
        }
        catch (InvalidDataException)
        {
            throw Refuse("its compressed data makes no sense");
        }
    }

    private ArchiveException Refuse(string reason) => new(_entry!.FullName, reason);
}
