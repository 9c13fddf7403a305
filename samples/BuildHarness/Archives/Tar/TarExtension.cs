using System;
using Transport.Files;

namespace BuildHarness.Archives.Tar;

/// <summary>What extended headers say of the entry behind them: pax records, and GNU's long names.</summary>
/// <remarks>Where two of them say the same thing, readers differ in whom they believe; so that is refused.</remarks>
internal sealed class TarExtension
{
    /// <summary>Gets how many bytes of such headers there were.</summary>
    public long Bytes { get; set; }

    public byte[]? Name { get; private set; }

    public byte[]? LinkName { get; private set; }

    public long? Size { get; private set; }

    public FileTime? Modified { get; private set; }

    /// <summary>Gets a value indicating whether an own pax header, not a global one, has been there.</summary>
    public bool HasPax { get; private set; }

    /// <summary>Gets a value indicating whether the entry is stored without its holes.</summary>
    public bool IsSparse { get; private set; }

    /// <exception cref="ArchiveException">There are two names, or there is a NUL in it.</exception>
    public void AddGnu(byte type, ReadOnlySpan<byte> text)
    {
        int end = text.IndexOf((byte)0);
        byte[] name = (end < 0 ? text : text[..end]).ToArray();
        if (end >= 0 && !TarHeader.IsZero(text[end..]))
        {
            throw new ArchiveException(name, "a NUL is in its long name");
        }

        if (name.Length == 0)
        {
            throw new ArchiveException(entry: null, "a GNU long name is empty");
        }

        if (type == (byte)'L')
        {
            Name = Name is null ? name : throw Twice(name, "name");
        }
        else
        {
            LinkName = LinkName is null ? name : throw Twice(name, "link name");
        }
    }

    /// <exception cref="ArchiveException">A record is damaged, or says what has been said.</exception>
    public void AddPax(ReadOnlySpan<byte> records)
    {
        if (HasPax)
        {
            throw new ArchiveException(entry: null, "two pax headers are before one entry");
        }

        HasPax = true;
        while (!records.IsEmpty)
        {
            if (!PaxRecords.TryTake(ref records, out string key, out ReadOnlySpan<byte> value))
            {
                throw new ArchiveException(Name, "a pax header's record is damaged");
            }

            Apply(key, value);
        }
    }

    /// <summary>A global header: of what it says only the time counts here.</summary>
    /// <param name="records">Its records.</param>
    /// <param name="modified">The time that holds for all entries behind it, where it says so.</param>
    /// <exception cref="ArchiveException">A record is damaged, or would give all entries one name or size.</exception>
    public static void ReadGlobal(ReadOnlySpan<byte> records, ref FileTime? modified)
    {
        while (!records.IsEmpty)
        {
            if (!PaxRecords.TryTake(ref records, out string key, out ReadOnlySpan<byte> value))
            {
                throw new ArchiveException(entry: null, "a global pax header's record is damaged");
            }

            if (key is "path" or "linkpath" or "size" || key.StartsWith("GNU.sparse.", StringComparison.Ordinal))
            {
                throw new ArchiveException(entry: null, $"a global pax header sets the {key} of all entries");
            }

            if (key is "mtime")
            {
                modified = value.IsEmpty ? null
                    : PaxRecords.TryReadTime(value, out FileTime time) ? time
                    : throw new ArchiveException(entry: null, "a global pax header's mtime is no time");
            }
        }
    }

    private void Apply(string key, ReadOnlySpan<byte> value)
    {
        switch (key)
        {
            case "path":
                Name = Name is null ? value.ToArray() : throw Twice(value, "name");
                break;
            case "linkpath":
                LinkName = LinkName is null ? value.ToArray() : throw Twice(value, "link name");
                break;
            case "size":
                Size = Size is not null ? throw Twice(Name, "size")
                    : TarNumber.TryReadDecimal(value, out long size) ? size
                    : throw new ArchiveException(Name, "its pax size is no number");
                break;
            case "mtime":
                Modified = PaxRecords.TryReadTime(value, out FileTime time) ? time
                    : throw new ArchiveException(Name, "its pax mtime is no time");
                break;
            default:
                IsSparse |= key.StartsWith("GNU.sparse.", StringComparison.Ordinal);
                break;
        }
    }

    private static ArchiveException Twice(ReadOnlySpan<byte> name, string what) =>
        new(name.IsEmpty ? null : name.ToArray(), $"extended headers give its {what} twice");
}
