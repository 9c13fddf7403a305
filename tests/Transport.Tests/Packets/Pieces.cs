using System;
using System.Buffers;
using System.Collections.Generic;

namespace Transport.Tests.Packets;

/// <summary>A buffer that gives spans of a chosen size and no more than was asked for, and remembers what was asked.</summary>
internal sealed class Pieces(int size) : IBufferWriter<byte>
{
    private readonly List<byte> _written = [];
    private byte[] _piece = [];

    public int LargestHint { get; private set; }

    public int Spans { get; private set; }

    public void Advance(int count)
    {
        _written.AddRange(new ArraySegment<byte>(_piece, 0, count));
        _piece = [];
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        LargestHint = Math.Max(LargestHint, sizeHint);
        Spans++;
        _piece = new byte[Math.Max(size, Math.Max(1, sizeHint))];
        return _piece;
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    public byte[] ToArray() => _written.ToArray();
}
