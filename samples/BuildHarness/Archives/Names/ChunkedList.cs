using System;
using System.Collections;
using System.Collections.Generic;

namespace BuildHarness.Archives.Names;

/// <summary>A list that grows by pieces: it never holds its elements twice, as one that copies itself into a larger array does.</summary>
internal sealed class ChunkedList<T> : IEnumerable<T>
{
    private const int Bits = 12;
    private readonly List<T[]> _chunks = [];

    public int Count { get; private set; }

    public ref T this[int index] => ref _chunks[index >> Bits][index & ((1 << Bits) - 1)];

    public void Add(T item)
    {
        if (Count >> Bits == _chunks.Count)
        {
            _chunks.Add(new T[1 << Bits]);
        }

        this[Count++] = item;
    }

    public IEnumerator<T> GetEnumerator()
    {
        for (int i = 0; i < Count; i++)
        {
            yield return this[i];
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
