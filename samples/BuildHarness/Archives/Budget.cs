using System.Globalization;

namespace BuildHarness.Archives;

/// <summary>Counts what an archive has given against what was read of it.</summary>
internal sealed class Budget(ArchiveLimits limits)
{
    private long _decompressed;

    /// <summary>Gets the decompressed bytes so far.</summary>
    public long Decompressed => _decompressed;

    /// <summary>Gets or sets the name of the entry to blame where what counts does not know it: what decompresses a tar sees only bytes. Null: none is being read.</summary>
    public byte[]? Current { get; set; }

    /// <summary>Counts decompressed bytes.</summary>
    /// <param name="bytes">How many more there are.</param>
    /// <param name="read">All bytes of the archive that were read for what there is.</param>
    /// <param name="entry">The name of the entry to blame; null: <see cref="Current"/>.</param>
    /// <exception cref="ArchiveException">There are more than the limits allow.</exception>
    public void Count(long bytes, long read, byte[]? entry)
    {
        _decompressed += bytes;
        CheckBytes(_decompressed, entry);
        if (_decompressed > limits.FreeBytes && _decompressed > limits.Ratio * read)
        {
            throw new ArchiveException(entry ?? Current, string.Create(CultureInfo.InvariantCulture, $"{_decompressed} bytes came out of {read}, more than {limits.Ratio} : 1 (--limit-ratio)"));
        }
    }

    /// <summary>Refuses what only claims too much, before it is read.</summary>
    /// <exception cref="ArchiveException">There are more than the limits allow.</exception>
    public void CheckClaim(long bytes, byte[]? entry) => CheckBytes(bytes > limits.Bytes ? bytes : _decompressed + bytes, entry);

    private void CheckBytes(long bytes, byte[]? entry)
    {
        if (bytes > limits.Bytes)
        {
            throw new ArchiveException(entry ?? Current, string.Create(CultureInfo.InvariantCulture, $"the archive holds more than {limits.Bytes} bytes (--limit-bytes)"));
        }
    }
}
