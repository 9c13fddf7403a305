using System;
using System.Collections.Generic;

namespace BuildHarness.Archives.Names;

/// <summary>Keeps the bytes of names, one behind the other, in pieces of 64 KiB.</summary>
internal sealed class NameArena
{
    private const int Bits = 16;
    private readonly List<byte[]> _chunks = [];
    private int _used = 1 << Bits;

    /// <param name="name">At most 64 KiB.</param>
    /// <returns>Its place, for <see cref="Get"/>.</returns>
    public int Add(ReadOnlySpan<byte> name)
    {
        if (_used + name.Length > 1 << Bits)
        {
            _chunks.Add(new byte[1 << Bits]);
            _used = 0;
        }

        name.CopyTo(_chunks[^1].AsSpan(_used));
        int place = ((_chunks.Count - 1) << Bits) + _used;
        _used += name.Length;
        return place;
    }

    public ReadOnlySpan<byte> Get(int place, int length) => _chunks[place >> Bits].AsSpan(place & ((1 << Bits) - 1), length);
}
