using System.Globalization;

namespace Unpack;

/// <summary>Counts what an archive gives against how long it is.</summary>
/// <remarks>
/// An archive is taken only if all of it was read; so its bytes are what counts, not those read so far, which would only report where in
/// it the zeros are. Who means harm gains nothing by that: what makes up for the zeros could stand in front of them as well. What is
/// claimed and checked later is weighed before any of it is read.
/// </remarks>
/// <param name="limits">What it may make of itself.</param>
/// <param name="length">How long it is, if it is compressed; null: no byte of it gives more than one.</param>
internal sealed class Budget(ArchiveLimits limits, long? length = null)
{
    private long _decompressed;

    /// <summary>Gets or sets the name of the entry to blame if what counts does not know it: what decompresses a tar sees only bytes.
    /// Null: none is being read.</summary>
    public string? Current { get; set; }

    /// <summary>Counts decompressed bytes.</summary>
    /// <param name="bytes">How many more there are.</param>
    /// <param name="entry">The name of the entry to blame; null: <see cref="Current"/>.</param>
    /// <exception cref="ArchiveException">There are more than the limits allow.</exception>
    public void Count(long bytes, string? entry = null)
    {
        _decompressed += bytes;
        CheckClaim(_decompressed, entry);
    }

    /// <summary>Refuses what only claims too much, before it is read.</summary>
    /// <param name="total">All decompressed bytes up to the end of what claims; what claims more than comes is refused there.</param>
    /// <param name="entry">As for <see cref="Count"/>.</param>
    /// <exception cref="ArchiveException">There are more than the limits allow.</exception>
    public void CheckClaim(long total, string? entry)
    {
        if (total > limits.Bytes)
        {
            throw new ArchiveException(entry ?? Current,
                string.Create(CultureInfo.InvariantCulture, $"the archive holds more than {limits.Bytes} bytes (--limit-bytes)"));
        }

        if (total > limits.FreeBytes && total > limits.Ratio * length)
        {
            throw new ArchiveException(entry ?? Current, string.Create(CultureInfo.InvariantCulture, $"up to there {total} bytes come out "
                + $"of an archive of {length}, more than {limits.Ratio} : 1 (--limit-ratio N lets N : 1 through)"));
        }
    }
}
