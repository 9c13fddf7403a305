using System;
using System.Buffers.Binary;
using System.Collections.Generic;

namespace Transport.Journal;

/// <summary>
/// What is known of each node and packet type, found by the bytes of a record: no text is made to look. The seed is another one in each
/// table, so that nobody can choose names that collide.
/// </summary>
/// <typeparam name="T">What is known.</typeparam>
internal sealed class NodeTable<T>
    where T : class
{
    private const ulong Odd = 0x9E3779B97F4A7C15;   // of a multiplication that can be undone
    private const int Half = 32;

    /// <summary>So many are looked through faster than hashed.</summary>
    private const int Few = 8;

    private readonly Dictionary<ulong, Entry> _entries = [];
    private readonly Entry[] _first = new Entry[Few];
    private readonly ulong _seed = BitConverter.ToUInt64(Guid.NewGuid().ToByteArray(), 0);
    private Entry? _last;

    /// <summary>Gets how many there are.</summary>
    public int Count { get; private set; }

    /// <summary>Gets all of it, in no order.</summary>
    public IEnumerable<T> Values
    {
        get
        {
            foreach (Entry first in _entries.Values)
            {
                for (Entry? one = first; one is not null; one = one.Next)
                {
                    yield return one.Value;
                }
            }
        }
    }

    /// <summary>Finds what is known; null if nothing is.</summary>
    /// <param name="node">The node's name, as it stands in a record.</param>
    /// <param name="type">The packet type; 0 if types do not matter.</param>
    public T? Find(ReadOnlySpan<byte> node, ushort type)
    {
        if (_last is { } last && last.Is(node, type))
        {
            return last.Value;   // packets of one node come in rows
        }

        Entry? found = Count <= Few ? FindAmongFew(node, type) : FindByHash(node, type);
        _last = found ?? _last;
        return found?.Value;
    }

    /// <summary>Adds what was not found.</summary>
    public void Add(ReadOnlySpan<byte> node, ushort type, T value)
    {
        ulong hash = Hash(node, type);
        _ = _entries.TryGetValue(hash, out Entry? next);
        _entries[hash] = _last = new Entry(node.ToArray(), type, value, next);
        if (Count < Few)
        {
            _first[Count] = _last;
        }

        Count++;
    }

    private Entry? FindAmongFew(ReadOnlySpan<byte> node, ushort type)
    {
        for (int i = 0; i < Count; i++)
        {
            if (_first[i].Is(node, type))
            {
                return _first[i];
            }
        }

        return null;
    }

    private Entry? FindByHash(ReadOnlySpan<byte> node, ushort type)
    {
        _ = _entries.TryGetValue(Hash(node, type), out Entry? at);
        while (at is not null && !at.Is(node, type))
        {
            at = at.Next;
        }

        return at;
    }

    private ulong Hash(ReadOnlySpan<byte> node, ushort type)
    {
        ulong hash = Mix(_seed, ((ulong)type << Half) + (uint)node.Length);
        Span<byte> rest = stackalloc byte[sizeof(ulong)];
        while (node.Length >= sizeof(ulong))
        {
            hash = Mix(hash, BinaryPrimitives.ReadUInt64LittleEndian(node));
            node = node.Slice(sizeof(ulong));
        }

        rest.Clear();
        node.CopyTo(rest);
        return Mix(hash, BinaryPrimitives.ReadUInt64LittleEndian(rest));
    }

    private static ulong Mix(ulong hash, ulong word)
    {
        hash = (hash ^ word) * Odd;
        return hash ^ (hash >> Half);
    }

    private sealed class Entry(byte[] node, ushort type, T value, Entry? next)
    {
        public T Value => value;

        public Entry? Next => next;

        public bool Is(ReadOnlySpan<byte> otherNode, ushort otherType) => otherType == type && otherNode.SequenceEqual(node);
    }
}
