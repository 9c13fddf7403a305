using System;
using System.Collections.Generic;

namespace Transport;

/// <summary>A sender's table: which key stands under which id at the peer. Not for concurrent use: the lane's lock is held.</summary>
/// <remarks>
/// <para>It mirrors the peer's table: what was set counts until its id is set again. Changes of a packet are undone as a whole by
/// <see cref="Rollback"/>, as if it had never been. An id that the packet at hand refers to or has set is not set again by it, because all that a packet
/// adds goes in front of it.</para>
/// <para>The first 256 ids cost a byte less each time: they are kept for keys that were used often. Of the others, when all are taken or the bytes are used up,
/// a hand goes around that halves how often each was used and takes the first that nobody misses; it looks at a few and then gives up, so that
/// a key more never costs much.</para>
/// </remarks>
/// <typeparam name="TKey">The key.</typeparam>
internal sealed class SlotTable<TKey>(int maxIds, int maxBytes)
    where TKey : class
{
    /// <summary>Ids below take one byte on the wire.</summary>
    public const int ShortIds = 256;

    private const int FirstSize = 512;
    private const int Looks = 8;
    private const int LongestChain = 24;

    private readonly List<Change> _changes = [];
    private Slot[] _slots = [];
    private int[] _buckets = [];
    private int _top = ShortIds;
    private int _topShort;
    private int _hand = ShortIds;
    private int _packet = 1;
    private int _topBefore = ShortIds;
    private int _topShortBefore;
    private long _bytesBefore;
    private int _lastReuse;

    /// <summary>Gets the bytes of all keys that the peer holds.</summary>
    public long Bytes { get; private set; }

    /// <summary>Gets how many ids are set.</summary>
    public int Count => _top - ShortIds + _topShort;

    /// <summary>Gets a value indicating whether a new key takes the place of another, or soon will: then it had better be worth it.</summary>
    public bool IsFull => _top >= maxIds || Bytes > maxBytes - (maxBytes >> 3);

    /// <summary>Gets the memory taken by the slots, without the keys, in bytes (about).</summary>
    public long OwnBytes => (_slots.Length * 48L) + (_buckets.Length * 4L);

    /// <summary>Gets the number of the packet being written; it only grows.</summary>
    public int Packet => _packet;

    /// <summary>Says whether an id was set to another key after a packet.</summary>
    public bool IsNewer(uint id, int packet) => id >= (uint)_slots.Length || _slots[id].Set > packet;

    /// <summary>Says whether any id was set to another key after a packet.</summary>
    public bool IsAnyNewer(int packet) => _lastReuse > packet;

    /// <summary>Begins a packet.</summary>
    public void Begin()
    {
        _packet++;
        _topBefore = _top;
        _topShortBefore = _topShort;
        _bytesBefore = Bytes;
    }

    /// <summary>Keeps what the packet changed.</summary>
    public void Commit() => _changes.Clear();

    /// <summary>Undoes what the packet changed.</summary>
    public void Rollback()
    {
        for (int i = _changes.Count - 1; i >= 0; i--)
        {
            Change change = _changes[i];
            Unlink(change.Id);
            _slots[change.Id] = change.Before;
            if (change.Before.Key is not null)
            {
                Link(change.Id);
            }
        }

        _changes.Clear();
        _top = _topBefore;
        _topShort = _topShortBefore;
        Bytes = _bytesBefore;
    }

    /// <summary>Goes through the ids whose keys have a hash: the first.</summary>
    /// <returns>An id, or -1.</returns>
    public int First(int hash)
    {
        if (_buckets.Length == 0)
        {
            return -1;
        }

        int id = _buckets[hash & (_buckets.Length - 1)] - 1;
        return id < 0 || _slots[id].Hash == hash ? id : Next(id, hash);
    }

    /// <summary>Goes through the ids whose keys have a hash: the next. It gives up where too many others share the bucket.</summary>
    public int Next(int id, int hash)
    {
        for (int i = 0; i < LongestChain; i++)
        {
            id = _slots[id].Next - 1;
            if (id < 0 || _slots[id].Hash == hash)
            {
                return id;
            }
        }

        return -1;
    }

    public TKey KeyOf(int id) => _slots[id].Key!;

    /// <summary>Counts a use.</summary>
    /// <returns>How often it was used lately.</returns>
    public int Use(int id)
    {
        ref Slot slot = ref _slots[id];
        slot.Packet = _packet;
        return ++slot.Uses;
    }

    /// <summary>Finds an id for a new key and sets it.</summary>
    /// <param name="key">The key.</param>
    /// <param name="hash">Its hash.</param>
    /// <param name="bytes">Its bytes at the peer.</param>
    /// <returns>The id, or -1 where no id can be had cheaply.</returns>
    public int Add(TKey key, int hash, int bytes)
    {
        int id;
        if (_top < maxIds && Bytes + bytes <= maxBytes)
        {
            id = _top++;
            Reserve(id);
        }
        else
        {
            id = Victim(bytes);
            if (id < 0)
            {
                return -1;
            }
        }

        Put(id, key, hash, bytes, uses: 1);
        return id;
    }

    /// <summary>Sets a key that is used often under a short id, and forgets its old one.</summary>
    /// <returns>The id, or -1 where no short one is free.</returns>
    public int Promote(int id)
    {
        Slot slot = _slots[id];
        if (_topShort == ShortIds || Bytes + slot.Bytes > maxBytes)
        {
            return -1;
        }

        int shorter = _topShort++;
        _changes.Add(new Change(id, slot));
        Unlink(id);

        // The old id's text is still held by the peer and still counts; the hand finds the slot and sets it again.
        _slots[id] = new Slot { Bytes = slot.Bytes, Packet = _packet, Set = slot.Set };
        Put(shorter, slot.Key!, slot.Hash, slot.Bytes, slot.Uses);
        return shorter;
    }

    private int Victim(int bytes)
    {
        for (int i = 0; i < Looks && _top > ShortIds; i++)
        {
            _hand = _hand + 1 < _top ? _hand + 1 : ShortIds;
            ref Slot slot = ref _slots[_hand];
            if (slot.Packet == _packet)
            {
                continue;
            }

            if (slot.Uses <= 1 && Bytes - slot.Bytes + bytes <= maxBytes)
            {
                _lastReuse = _packet;
                return _hand;
            }

            slot.Uses /= 2;
        }

        return -1;
    }

    private void Put(int id, TKey key, int hash, int bytes, int uses)
    {
        Slot before = _slots[id];
        _changes.Add(new Change(id, before));
        Unlink(id);
        Bytes += bytes - before.Bytes;
        _slots[id] = new Slot { Key = key, Hash = hash, Bytes = bytes, Packet = _packet, Set = _packet, Uses = uses };
        Link(id);
    }

    private void Link(int id)
    {
        ref int bucket = ref _buckets[_slots[id].Hash & (_buckets.Length - 1)];
        _slots[id].Next = bucket;
        bucket = id + 1;
    }

    private void Unlink(int id)
    {
        if (_slots[id].Key is null)
        {
            return;
        }

        ref int at = ref _buckets[_slots[id].Hash & (_buckets.Length - 1)];
        while (at != id + 1)
        {
            at = ref _slots[at - 1].Next;
        }

        at = _slots[id].Next;
        _slots[id].Key = null;
    }

    private void Reserve(int id)
    {
        if (id < _slots.Length)
        {
            return;
        }

        int size = Math.Max(FirstSize, _slots.Length * 2);
        Array.Resize(ref _slots, size);
        _buckets = new int[size];
        for (int i = 0; i < size; i++)
        {
            if (_slots[i].Key is not null)
            {
                Link(i);
            }
        }
    }

    private struct Slot
    {
        public TKey? Key;
        public int Hash;
        public int Next;      // the id after this one in its bucket, plus 1
        public int Bytes;
        public int Packet;    // the packet that used or set it last
        public int Set;       // the packet that set it
        public int Uses;
    }

    private readonly record struct Change(int Id, Slot Before);
}
