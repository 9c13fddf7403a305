using System;

namespace Transport.Journal;

/// <summary>
/// One open file. Reads, writes and syncs may run at the same time on several threads; the caller sees to it that writes do not overlap.
/// </summary>
internal interface IJournalFile : IDisposable
{
    /// <summary>Gets the file's length now.</summary>
    long Length { get; }

    /// <summary>Gets a value indicating whether it has no name any more, so that what is written to it is gone once it is closed; false where
    /// the system does not say.</summary>
    bool IsDeleted { get; }

    /// <summary>Reads at a place.</summary>
    /// <returns>How many bytes; fewer than asked for at the end of the file, or at the store's pleasure; 0 at the end.</returns>
    int Read(long offset, Span<byte> into);

    /// <summary>Writes at a place, once: may be interrupted, may write less (<see cref="FileCalls"/> goes on).</summary>
    StoreError Write(long offset, ReadOnlySpan<byte> bytes, out int written);

    /// <summary>
    /// Reserves capacity up to a length and sets the length, so that writing there needs neither. What was not written reads as zeros.
    /// </summary>
    StoreError Allocate(long length);

    /// <summary>Makes contents and length durable. After an error nothing is known about what was not durable before.</summary>
    StoreError Sync();
}
