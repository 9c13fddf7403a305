using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;

namespace Transport.Generator.Model;

/// <summary>An array that is equal to another with equal elements: what the compiler's cache needs, and arrays are not.</summary>
internal readonly struct EquatableArray<T>(T[] items) : IEquatable<EquatableArray<T>>, IReadOnlyList<T>
    where T : IEquatable<T>
{
    private readonly T[]? _items = items;

    public int Count => _items?.Length ?? 0;

    public T this[int index] => (_items ?? [])[index];

    public bool Equals(EquatableArray<T> other) => (_items ?? []).AsSpan().SequenceEqual(other._items ?? []);

    public override bool Equals(object? obj) => obj is EquatableArray<T> other && Equals(other);

    public override int GetHashCode() => (_items ?? []).Aggregate(17, (hash, item) => unchecked((hash * 31) + (item?.GetHashCode() ?? 0)));

    public IEnumerator<T> GetEnumerator() => ((IEnumerable<T>)(_items ?? [])).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
