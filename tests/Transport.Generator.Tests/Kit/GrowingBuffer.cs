using System;
using System.Buffers;

namespace Transport.Generator.Tests.Kit;

/// <summary>Collects what a formatter writes, on every framework.</summary>
internal sealed class GrowingBuffer : IBufferWriter<byte>
{
    private byte[] _bytes = new byte[256];
    private int _used;

    public byte[] ToArray() => _bytes.AsSpan(0, _used).ToArray();

    public void Advance(int count) => _used += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        if (_bytes.Length - _used < Math.Max(sizeHint, 1))
        {
            Array.Resize(ref _bytes, Math.Max(2 * _bytes.Length, _used + sizeHint));
        }

        return _bytes.AsMemory(_used);
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
}
