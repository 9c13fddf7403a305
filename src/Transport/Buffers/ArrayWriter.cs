using System;
using System.Buffers;

namespace Transport;

/// <summary>A buffer on the heap that grows by doubling: for what is written rarely and kept whole, such as the frames of a
/// handshake.</summary>
internal sealed class ArrayWriter(int capacity = 256) : IBufferWriter<byte>
{
    private byte[] _bytes = new byte[capacity];

    /// <summary>Gets how many bytes were written.</summary>
    public int Length { get; private set; }

    /// <summary>Gets what was written; valid until the next write.</summary>
    public Span<byte> Written => _bytes.AsSpan(0, Length);

    /// <summary>Gets the array underneath; <see cref="Length"/> bytes of it are filled.</summary>
    public byte[] Array => _bytes;

    public void Advance(int count)
    {
        if ((uint)count > (uint)(_bytes.Length - Length))
        {
            throw new ArgumentOutOfRangeException(nameof(count), count, "More bytes than the span that was given holds.");
        }

        Length += count;
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _bytes.AsMemory(Length);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _bytes.AsSpan(Length);
    }

    /// <summary>Forgets what was written.</summary>
    public void Clear() => Length = 0;

    private void Reserve(int sizeHint)
    {
        int need = Length + Math.Max(sizeHint, 1);
        if (need > _bytes.Length)
        {
            System.Array.Resize(ref _bytes, Math.Max(need, _bytes.Length * 2));
        }
    }
}
