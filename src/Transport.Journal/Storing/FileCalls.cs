using System;

namespace Transport.Journal.Storing;

/// <summary>Whole reads and writes of parts: interrupted calls are made again, short ones gone on with.</summary>
internal static class FileCalls
{
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
