using System;

namespace Transport.Journal;

/// <summary>
/// A stretch of a file in memory. What is checked and shown is this copy, so nothing that happens to the file meanwhile can change it.
/// </summary>
internal sealed class FileWindow(IJournalFile file, int size = FileWindow.DefaultSize)
{
    /// <summary>Fits a processor's second cache: what is read is summed from there.</summary>
    public const int DefaultSize = 256 << 10;

    private byte[] _bytes = [];
    private long _at;
    private int _count;

    /// <summary>Gets how many bytes fit without taking more memory.</summary>
    public int Capacity => Math.Max(_bytes.Length, size);

    /// <summary>Gets the memory behind <see cref="At"/>.</summary>
    public byte[] Memory => _bytes;

    /// <summary>Forgets what was read: the file may have changed.</summary>
    public void Forget() => _count = 0;

    /// <summary>Forgets what was read, and lets go of the memory.</summary>
    public void Release() => (_bytes, _count) = ([], 0);

    /// <summary>Reads so that a stretch is in memory; grows for it only if the file has that many bytes.</summary>
    /// <param name="offset">Where it begins.</param>
    /// <param name="count">Its bytes; the caller has looked that the file is that long.</param>
    /// <returns>Whether all of it is there.</returns>
    public bool Has(long offset, int count)
    {
        if (offset >= _at && offset + count <= _at + _count)
        {
            return true;
        }

        if (count > _bytes.Length)
        {
            _bytes = new byte[_bytes.Length == 0 ? Math.Max(count, size)
                : Math.Max(count, (int)Math.Min(_bytes.Length * 2L, int.MaxValue / 2))];
        }

        _at = offset;
        _count = file.ReadAll(offset, _bytes);
        return _count >= count;
    }

    /// <summary>
    /// Whether the sum of a record is right. One that is longer than the window is summed piece by piece: what only claims to be so long
    /// takes no memory.
    /// </summary>
    /// <param name="offset">Where it begins.</param>
    /// <param name="count">Its bytes; the caller has looked that the file is that long.</param>
    public bool IsSumRight(long offset, int count)
    {
        if (count <= Capacity)
        {
            return Has(offset, count) && RecordHeader.IsSumRight(Span(offset, count));
        }

        byte[] piece = _bytes.Length > 0 ? _bytes : _bytes = new byte[size];
        _count = 0;
        uint sum = 0, stored = 0;
        for (int done = 0; done < count;)
        {
            int part = file.ReadAll(offset + done, piece.AsSpan(0, Math.Min(piece.Length, count - done)));
            int from = done == 0 ? RecordHeader.SummedFrom : 0;
            if (part <= from)
            {
                return false;
            }

            stored = done == 0 ? RecordHeader.SumOf(piece) : stored;
            sum = Crc32C.Of(sum, piece.AsSpan(from, part - from));
            done += part;
        }

        return sum == stored;
    }

    /// <summary>Returns where in <see cref="Memory"/> an offset of the file stands.</summary>
    public int At(long offset) => (int)(offset - _at);

    /// <summary>Gets the bytes in memory from an offset on; none if it is not in memory.</summary>
    public ReadOnlySpan<byte> From(long offset)
    {
        ulong at = (ulong)(offset - _at);
        return at < (ulong)_count ? _bytes.AsSpan((int)at, _count - (int)at) : default;
    }

    public ReadOnlySpan<byte> Span(long offset, int count) => _bytes.AsSpan(At(offset), count);
}
