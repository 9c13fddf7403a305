using System;
using System.Collections.Generic;

namespace Transport.Files;

/// <summary>A list that grows by chunks, so it never copies all of its elements into a larger array. For one thread at a time.</summary>
internal sealed class ChunkedList<T>
{
    private const int Bits = 12;
    private const int FirstLength = 16;
    private readonly List<T[]> _chunks = [];

    public int Count { get; private set; }

    public ref T this[int index] => ref _chunks[index >> Bits][index & ((1 << Bits) - 1)];

    public void Add(T item)
    {
        int chunk = Count >> Bits, at = Count & ((1 << Bits) - 1);
        if (chunk == _chunks.Count)
        {
            _chunks.Add(new T[chunk == 0 ? FirstLength : 1 << Bits]);
        }
        else if (at == _chunks[chunk].Length)
        {
            // Only the first chunk grows: most lists are short.
            T[] longer = _chunks[chunk];
            Array.Resize(ref longer, at * 2);
            _chunks[chunk] = longer;
        }

        _chunks[chunk][at] = item;
        Count++;
    }
}
