namespace Transport.Journal;

/// <summary>Records that wait to be written by one call. Belongs to the queue while it is filled, then to who commits.</summary>
internal sealed class AppendBatch(byte[] bytes)
{
    public byte[] Bytes { get; } = bytes;

    public int Used { get; set; }

    /// <summary>Gets or sets how much of it is written.</summary>
    public int Done { get; set; }

    public AppendBatch? Next { get; set; }
}
