using System;

namespace Transport;

/// <summary>What an exited process left in the file of its tail. Every number in it is distrusted: what is not valid is not
/// taken.</summary>
internal sealed class TailReader
{
    private readonly byte[] _file;

    private TailReader(byte[] file) => _file = file;

    /// <summary>Looks at a file's bytes.</summary>
    /// <param name="file">The bytes.</param>
    /// <param name="problem">Why nothing can be read of it; null if something can, or if no process has used it as a tail.</param>
    /// <returns>Null if nothing can be read of it.</returns>
    public static TailReader? Open(byte[] file, out string? problem)
    {
        problem = null;
        if (file.Length is < TailLayout.Least or > TailLayout.Most)
        {
            problem = FormattableString.Invariant($"its file has {file.Length} bytes");
            return null;
        }

        if (Number(file, 0) == TailLayout.Magic)
        {
            return new TailReader(file);
        }

        problem = IsZero(file.AsSpan(0, TailLayout.Header)) ? null : "its file does not begin as a tail does: somebody has written into it";
        return null;
    }

    /// <summary>Gets how many packets the process had committed to a lane.</summary>
    /// <param name="lane">Urgent, Normal or Bulk.</param>
    /// <param name="received">How many of them are known.</param>
    /// <returns>At least <paramref name="received"/>; no more than the bytes that it says they had can be.</returns>
    public long Committed(Lane lane, long received)
    {
        int block = TailLayout.BlockOf(lane);
        long bytes = Number(_file, block + TailLayout.Bytes), packets = Number(_file, block + TailLayout.Packets);
        return packets <= bytes / (FrameHeader.Size + 1) ? Math.Max(packets, received) : received;
    }

    /// <summary>Gets the frames with which a lane's stream goes on.</summary>
    /// <param name="lane">Urgent, Normal or Bulk.</param>
    /// <param name="received">The bytes of the lane's whole frames that were received.</param>
    /// <param name="problem">Why a record was not taken, nor any behind it; empty if none was invalid.</param>
    /// <returns>Their bytes, without a gap from there; most often none.</returns>
    public byte[] Continuation(Lane lane, long received, out string problem)
    {
        int block = TailLayout.BlockOf(lane);
        (int start, int size) = TailLayout.RingOf(lane, _file.Length);
        long head = Number(_file, block + TailLayout.Head), end = Number(_file, block + TailLayout.End);
        problem = string.Empty;
        if (head < 0 || end < head || end - head > size || ((head | end) & (TailLayout.Step - 1)) != 0)
        {
            problem = $"its ring of lane {(int)lane} is said to hold bytes {head} to {end}, of {size}";
            return [];
        }

        var frames = new ArrayWriter(0);
        while (head < end)
        {
            if (!TryValid(start, size, head, end, out long offset, out int length))
            {
                problem = $"its record at {head} of lane {(int)lane} is not whole";
                break;
            }

            if (offset > received)
            {
                break;   // packets between found no capacity
            }

            if (offset + length > received)
            {
                Copy(frames, start, size, head + TailLayout.RecordHeader + (received - offset), (int)(offset + length - received));
                received = offset + length;
            }

            head += TailLayout.SizeOf(length);
        }

        return frames.Written.ToArray();
    }

    private static bool IsZero(ReadOnlySpan<byte> bytes)
    {
        foreach (byte one in bytes)
        {
            if (one != 0)
            {
                return false;
            }
        }

        return true;
    }

    private static long Number(byte[] file, int at) => BitConverter.ToInt64(file, at);

    private unsafe bool TryValid(int start, int size, long position, long end, out long offset, out int length)
    {
        int at = (int)(position % size);
        offset = Number(_file, start + at + TailLayout.Offset);
        long packets = Number(_file, start + at + TailLayout.PacketsSoFar);
        long said = Number(_file, start + at + TailLayout.Length);
        length = (int)said;
        if (said <= 0 || said > end - position - TailLayout.RecordHeader || offset < 0 || offset > long.MaxValue - size)
        {
            return false;
        }

        int body = (at + TailLayout.RecordHeader) % size;
        int padded = (int)(TailLayout.SizeOf(length) - TailLayout.RecordHeader);
        fixed (byte* file = _file)
        {
            return padded <= end - position - TailLayout.RecordHeader
                && TailSum.Of(file + start, size, body, padded, position, offset, packets, said) == Number(
                    _file, start + at + TailLayout.Sum);
        }
    }

    private void Copy(ArrayWriter to, int start, int size, long position, int count)
    {
        int at = (int)(position % size);
        int first = Math.Min(count, size - at);
        Span<byte> target = to.GetSpan(count);
        _file.AsSpan(start + at, first).CopyTo(target);
        _file.AsSpan(start, count - first).CopyTo(target.Slice(first));
        to.Advance(count);
    }
}
