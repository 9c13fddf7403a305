using System;

namespace Transport;

/// <summary>A sender's table of one lane: which key the peer holds under which id. It takes keys until it is full; from then on it only
/// finds them.</summary>
/// <remarks>
/// <para>An id is given once and keeps its meaning, so whatever was written with it stays true: nothing is pushed out.
/// <see cref="Rollback"/> takes back what a packet added, in reverse order.</para>
/// <para>Not for concurrent use: the lane's lock is held.</para>
/// </remarks>
/// <typeparam name="TKey">The key.</typeparam>
/// <param name="packetType">The packet that sets entries at the peer.</param>
/// <param name="maxBytes">The most bytes that the peer holds.</param>
/// <param name="lane">The lane.</param>
internal abstract class SendTable<TKey>(ushort packetType, int maxBytes, Lane lane)
    where TKey : class
{
    /// <summary>What <see cref="Find"/> returns for a key that is not there.</summary>
    protected const int None = -1;

    /// <summary>What <see cref="Find"/> returns if too many others share the key's bucket: keys made to collide are written out.</summary>
    private const int Crowded = -2;

    /// <summary>The first id that is given: the golden files of the wire begin with it.</summary>
    private const int FirstId = 256;

    private const int FirstSize = 512;
    private const int LongestChain = 16;
    private const int RememberedHashes = 4096;

    private Entry[] _entries = [];
    private int[] _buckets = [];   // an entry's index plus 1; 0: none
    private int[]? _cameOnce;
    private int _kept;
    private long _keptBytes;

    /// <summary>Gets how many keys the peer holds.</summary>
    public int Count { get; private set; }

    /// <summary>Gets the bytes of all keys that the peer holds.</summary>
    public long Bytes { get; private set; }

    /// <summary>Gets the bytes of a key.</summary>
    public int SizeOf(int id) => _entries[id - FirstId].Bytes;

    /// <summary>Gets what goes in front of the packet being written.</summary>
    public TablePackets Packets { get; } = new(packetType, lane);

    /// <summary>Keeps what the packet added.</summary>
    public void Commit()
    {
        if (Count > _kept)
        {
            (_kept, _keptBytes) = (Count, Bytes);
            Packets.Clear();
        }
    }

    /// <summary>Forgets what the packet added.</summary>
    public void Rollback()
    {
        if (Count > _kept)
        {
            while (Count > _kept)
            {
                // The last entry stands first in its bucket.
                ref Entry last = ref _entries[--Count];
                _buckets[last.Hash & (_buckets.Length - 1)] = last.Next;
                last = default;
            }

            Bytes = _keptBytes;
            Packets.Clear();
        }
    }

    /// <summary>Returns the bytes by which keys are compared.</summary>
    protected abstract ReadOnlySpan<byte> BytesOf(TKey key);

    /// <summary>Finds a key's id.</summary>
    /// <returns>The id; <see cref="None"/>, or another negative number if it must not be added either.</returns>
    protected int Find(ReadOnlySpan<byte> bytes, int hash)
    {
        if (_buckets.Length == 0)
        {
            return None;
        }

        int at = _buckets[hash & (_buckets.Length - 1)] - 1;
        for (int looks = 0; at >= 0; looks++)
        {
            if (looks == LongestChain)
            {
                return Crowded;
            }

            ref Entry entry = ref _entries[at];
            if (entry.Hash == hash && bytes.SequenceEqual(BytesOf(entry.Key)))
            {
                return FirstId + at;
            }

            at = entry.Next - 1;
        }

        return None;
    }

    /// <summary>Checks whether a key of so many bytes would find capacity.</summary>
    protected bool HasCapacity(int bytes) => Count < TableTypes.MaxIds - FirstId && Bytes + bytes <= maxBytes;

    /// <summary>Checks whether a key that is not in the table came before, and remembers it. Two keys may be taken for one, and a key may
    /// be forgotten: that costs an entry, or a key written out.</summary>
    protected bool CameBefore(int hash)
    {
        ref int seen = ref (_cameOnce ??= new int[RememberedHashes])[hash & (RememberedHashes - 1)];
        bool before = seen == hash;
        seen = hash;
        return before;
    }

    /// <summary>Adds a key for which there is capacity.</summary>
    /// <returns>Its id.</returns>
    protected int Add(TKey key, int hash, int bytes)
    {
        if (Count == _entries.Length)
        {
            Grow();
        }

        int at = Count++;
        Bytes += bytes;
        _entries[at] = new Entry { Key = key, Hash = hash, Bytes = bytes };
        Link(at);
        return FirstId + at;
    }

    private void Grow()
    {
        int size = Math.Max(FirstSize, _entries.Length * 2);
        Array.Resize(ref _entries, size);
        _buckets = new int[size];
        for (int at = 0; at < Count; at++)
        {
            Link(at);
        }
    }

    private void Link(int at)
    {
        ref int bucket = ref _buckets[_entries[at].Hash & (_buckets.Length - 1)];
        _entries[at].Next = bucket;
        bucket = at + 1;
    }

    private struct Entry
    {
        public TKey Key;
        public int Hash;
        public int Bytes;
        public int Next;   // the index, plus 1, of the entry added before this one to its bucket
    }
}
