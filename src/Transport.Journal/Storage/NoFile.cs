using System;

namespace Transport.Journal;

/// <summary>Stands for the file of a segment that is still to be begun: nothing is in it, and it takes nothing.</summary>
internal sealed class NoFile : IJournalFile
{
    public static NoFile Instance { get; } = new();

    public long Length => 0;

    public bool IsDeleted => false;

    public int Read(long offset, Span<byte> into) => 0;

    public StoreError Write(long offset, ReadOnlySpan<byte> bytes, out int written)
    {
        written = 0;
        return StoreError.Full;
    }

    public StoreError Allocate(long length) => StoreError.Full;

    public StoreError Sync() => StoreError.None;

    public void Dispose()
    {
        // It holds nothing.
    }
}
