using System;
using System.Collections.Generic;

namespace Transport.Fuzz.Targets;

/// <summary>docs/reference/tail-format.md, read word by word: what the reader of tails is compared with.</summary>
internal static class PlainTail
{
    /// <summary>Gives the bytes with which a lane's stream goes on after so many bytes were received.</summary>
    public static unsafe byte[] Continuation(byte[] file, Lane lane, long received)
    {
        long steps = (file.Length - 1024) / 32, urgent = steps / 8, bulk = steps / 4;
        (long start, long size) = lane switch
        {
            Lane.Urgent => (0L, urgent),
            Lane.Normal => (urgent, steps - urgent - bulk),
            _ => (steps - bulk, bulk),
        };
        (start, size) = (1024 + (start * 32), size * 32);
        long end = Number(256 * (int)lane), head = Number((256 * (int)lane) + 128);
        var frames = new List<byte>();
        if (head < 0 || end < head || end - head > size || head % 32 != 0 || end % 32 != 0)
        {
            return [];
        }

        while (head < end)
        {
            long record = start + (head % size), offset = Number(record), packets = Number(record + 8), length = Number(record + 16);
            if (offset < 0 || offset > long.MaxValue - size || length <= 0 || length > end - head - 32)
            {
                break;
            }

            long padded = (length + 31) / 32 * 32;
            if (padded > end - head - 32)
            {
                break;
            }

            byte[] body = new byte[padded];
            for (long i = 0; i < padded; i++)
            {
                body[i] = file[start + ((head + 32 + i) % size)];
            }

            fixed (byte* bytes = body)
            {
                if (TailSum.Of(bytes, body.Length, 0, body.Length, head, offset, packets, length) != Number(record + 24)
                    || offset > received)
                {
                    break;
                }
            }

            for (long i = received - offset; i < length; i++)
            {
                frames.Add(body[i]);
                received++;
            }

            head += 32 + padded;
        }

        return [.. frames];

        long Number(long at) => BitConverter.ToInt64(file, (int)at);
    }
}
