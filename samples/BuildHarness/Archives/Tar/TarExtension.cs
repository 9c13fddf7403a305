using System;
using System.Text;
using BuildHarness.Archives.Names;
using Transport.Files;

namespace BuildHarness.Archives.Tar;

/// <summary>What extended headers say of the entry behind them: pax records, and GNU's long names.</summary>
/// <remarks>
/// If two of them say the same thing, readers differ in whom they believe; so that is refused. What is wrong is kept until the entry's
/// own header has come: often only that one says which entry it is.
/// </remarks>
internal sealed class TarExtension
{
    /// <summary>Gets how many bytes of such headers there were.</summary>
    public long Bytes { get; set; }

    public byte[]? Name { get; private set; }

    public byte[]? LinkName { get; private set; }

    public long? Size { get; private set; }

    public FileTime? Modified { get; private set; }

    /// <summary>Gets a value indicating whether any was there that is for the next entry alone, as a global one is not.</summary>
    public bool IsAny => HasPax || Name is not null || LinkName is not null || Fault is not null;

    /// <summary>Gets a value indicating whether an own pax header, not a global one, has been there.</summary>
    public bool HasPax { get; private set; }

    /// <summary>Gets a value indicating whether the entry is stored without its holes.</summary>
    public bool IsSparse { get; private set; }

    /// <summary>Gets the name that such an entry has when its holes are back, or null.</summary>
    public byte[]? SparseName { get; private set; }

    /// <summary>Gets why the entry is refused, as far as these headers report: the first reason; or null.</summary>
    public string? Fault { get; private set; }

    public void AddGnu(byte type, ReadOnlySpan<byte> text)
    {
        int end = text.IndexOf((byte)0);
        byte[] name = (end < 0 ? text : text[..end]).ToArray();
        if (end >= 0 && !TarHeader.IsZero(text[end..]))
        {
            Fault ??= type == (byte)'L' ? "a NUL is in its long name" : "a NUL is in its long link name";
        }

        if (name.Length == 0)
        {
            Fault ??= "a GNU long name is empty";
        }
        else if (type == (byte)'L')
        {
            Name = Once(Name, name, "name");
        }
        else
        {
            LinkName = Once(LinkName, name, "link name");
        }
    }

    public void AddPax(ReadOnlySpan<byte> records)
    {
        if (HasPax)
        {
            Fault ??= "two pax headers are before one entry";
            return;
        }

        HasPax = true;
        while (!records.IsEmpty)
        {
            if (!PaxRecords.TryTake(ref records, out string key, out ReadOnlySpan<byte> value))
            {
                Fault ??= "a pax header's record is damaged";
                return;
            }

            Apply(key, value);
        }
    }

    /// <summary>A global header: of what it says only the time counts here.</summary>
    /// <param name="records">Its records.</param>
    /// <param name="at">Where it begins, for messages: it belongs to no entry that could be named.</param>
    /// <param name="modified">The time that holds for all entries behind it, if it says so.</param>
    /// <exception cref="ArchiveException">A record is damaged, or would give all entries one name or size.</exception>
    public static void ReadGlobal(ReadOnlySpan<byte> records, long at, ref FileTime? modified)
    {
        while (!records.IsEmpty)
        {
            if (!PaxRecords.TryTake(ref records, out string key, out ReadOnlySpan<byte> value))
            {
                throw new ArchiveException(
                    entry: null, FormattableString.Invariant($"a global pax header's record is damaged, at byte {at}"));
            }

            if (key is "path" or "linkpath" or "size" || key.StartsWith("GNU.sparse.", StringComparison.Ordinal))
            {
                throw new ArchiveException(entry: null, FormattableString.Invariant(
                    $"a global pax header sets the {ByteText.Show(Encoding.UTF8.GetBytes(key))} of all entries, at byte {at}"));
            }

            if (key is "mtime")
            {
                modified = value.IsEmpty ? null
                    : PaxRecords.TryReadTime(value, out FileTime time) ? time
                    : throw new ArchiveException(
                        entry: null, FormattableString.Invariant($"a global pax header's mtime is no time, at byte {at}"));
            }
        }
    }

    private void Apply(string key, ReadOnlySpan<byte> value)
    {
        switch (key)
        {
            case "path":
                Name = Once(Name, value.ToArray(), "name");
                break;
            case "linkpath":
                LinkName = Once(LinkName, value.ToArray(), "link name");
                break;
            case "size":
                Fault ??= Size is not null ? Twice("size") : null;
                Size = TarNumber.TryReadDecimal(value, out long size) ? size : null;
                Fault ??= Size is null ? "its pax size is no number" : null;
                break;
            case "mtime":
                Modified = PaxRecords.TryReadTime(value, out FileTime time) ? time : null;
                Fault ??= Modified is null ? "its pax mtime is no time" : null;
                break;
            case "GNU.sparse.name":
                IsSparse = true;
                SparseName = Once(SparseName, value.ToArray(), "name");
                break;
            default:
                IsSparse |= key.StartsWith("GNU.sparse.", StringComparison.Ordinal);
                break;
        }
    }

    /// <summary>The later one is what the refusal names: it is the one that would surprise.</summary>
    private byte[] Once(byte[]? earlier, byte[] later, string what)
    {
        Fault ??= earlier is null ? null : Twice(what);
        return later;
    }

    private static string Twice(string what) => $"extended headers give its {what} twice";
}
