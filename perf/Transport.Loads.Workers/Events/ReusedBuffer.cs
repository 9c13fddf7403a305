using System;
using System.Buffers;

namespace Transport.Loads.Events;

/// <summary>One buffer that is written again and again: what a formatter writes to if nothing is handed over.</summary>
internal sealed class ReusedBuffer(int size) : IBufferWriter<byte>
{
    private readonly byte[] _buffer = new byte[size];
    private int _used;

    /// <summary>Gets what was written since the last reset.</summary>
    public ReadOnlySpan<byte> Written => _buffer.AsSpan(0, _used);

    public void Reset() => _used = 0;

    /// <summary>Begins anew if fewer bytes are left.</summary>
    public void KeepCapacity(int bytes)
    {
        if (_buffer.Length - _used < bytes)
        {
            _used = 0;
        }
    }

    public void Advance(int count) => _used += count;

    public Memory<byte> GetMemory(int sizeHint = 0) => _buffer.AsMemory(_used);

    public Span<byte> GetSpan(int sizeHint = 0) => _buffer.AsSpan(_used);
}
