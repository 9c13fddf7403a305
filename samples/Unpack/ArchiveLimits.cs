namespace Unpack;

/// <summary>What an archive may make of itself. All finite by default.</summary>
internal sealed record ArchiveLimits
{
    /// <summary>Gets how many decompressed bytes a byte of the archive may give, counted over all of it, once there is more than
    /// <see cref="FreeBytes"/> of them. 200 by default.</summary>
    public double Ratio { get; init; } = 200;

    /// <summary>Gets the decompressed bytes that are looked at for themselves first: small texts shrink a thousandfold and harm
    /// nobody.</summary>
    public long FreeBytes { get; init; } = 1 << 20;

    /// <summary>Gets the most decompressed bytes in all. 16 GiB by default.</summary>
    public long Bytes { get; init; } = 16L << 30;

    /// <summary>Gets the most entries, with the folders that only their paths name. 1,000,000 by default.</summary>
    public int Entries { get; init; } = 1_000_000;

    /// <summary>Gets the most bytes of extended headers (pax, GNU long names) before one entry of a tar. 1 MiB by default.</summary>
    public int HeaderBytes { get; init; } = 1 << 20;

    /// <summary>Gets the most bytes of names and link names in all. 128 MiB by default.</summary>
    public long NameBytes { get; init; } = 128L << 20;
}
