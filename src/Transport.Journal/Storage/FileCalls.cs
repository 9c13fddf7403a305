using System;

namespace Transport.Journal;

/// <summary>Whole reads and writes of parts: interrupted calls are made again, short ones gone on with.</summary>
internal static class FileCalls
{
    private const int ZeroBlock = 1 << 20;

    /// <summary>Writes all of it, or says why not.</summary>
    public static StoreError WriteAll(this IJournalFile file, long offset, ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > 0)
        {
            StoreError error = file.Write(offset, bytes, out int written);
            if (error is not (StoreError.None or StoreError.Interrupted))
            {
                return error;
            }

            if (error == StoreError.None && written <= 0)
            {
                return StoreError.Full;   // a file system that takes nothing and says nothing
            }

            offset += written;
            bytes = bytes.Slice(written);
        }

        return StoreError.None;
    }

    /// <summary>Writes zeros from the file's end up to a length.</summary>
    public static StoreError FillWithZeros(this IJournalFile file, long length)
    {
        byte[] zeros = new byte[(int)Math.Min(ZeroBlock, length)];
        StoreError error = StoreError.None;
        for (long at = file.Length; at < length && error == StoreError.None; at += zeros.Length)
        {
            error = file.WriteAll(at, zeros.AsSpan(0, (int)Math.Min(zeros.Length, length - at)));
        }

        return error;
    }

    /// <summary>Reads until the buffer is full or the file ends.</summary>
    /// <returns>The bytes read.</returns>
    public static int ReadAll(this IJournalFile file, long offset, Span<byte> into)
    {
        int done = 0;
        while (done < into.Length)
        {
            int count = file.Read(offset + done, into.Slice(done));
            if (count <= 0)
            {
                break;
            }

            done += count;
        }

        return done;
    }

    /// <summary>Syncs; an interrupted call is made again.</summary>
    public static StoreError SyncAll(this IJournalFile file)
    {
        StoreError error;
        do
        {
            error = file.Sync();
        }
        while (error == StoreError.Interrupted);

        return error;
    }
}
