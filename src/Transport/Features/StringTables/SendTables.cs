using System;
using System.Buffers;

namespace Transport;

/// <summary>What one lane of a sender has put into its peer's tables, and what the packet being written adds. The lane's lock is held.</summary>
internal sealed class SendTables
{
    /// <summary>A shorter text takes no more bytes than a reference to it.</summary>
    public const int ShortestText = 4;

    /// <summary>Longer texts are written out: they hardly ever come again, and one would push out many.</summary>
    public const int LongestText = 8 << 10;

    /// <summary>A longer text enters when it comes for the second time.</summary>
    public const int LongText = 256;

    private const int UsesForShortId = 32;

    /// <summary>More entries of one hash are not kept: texts that are made to collide are written out, at no more cost than others.</summary>
    private const int MostOfOneHash = 8;

    private readonly TextTable? _texts;
    private readonly MapTable? _maps;
    private bool _dirty;

    public SendTables(bool strings, bool maps, int maxBytes, Lane lane)
    {
        _texts = strings ? new TextTable(maxBytes, lane) : null;
        _maps = maps ? new MapTable(maxBytes, lane) : null;
    }

    /// <summary>Gets a value indicating whether texts may be referred to.</summary>
    public bool HasTexts => _texts is not null;

    /// <summary>Gets a value indicating whether maps may be referred to.</summary>
    public bool HasMaps => _maps is not null;

    /// <summary>Gets the bytes that the peer holds of this lane's texts and maps.</summary>
    public (long Texts, long Maps) Bytes => (_texts?.Slots.Bytes ?? 0, _maps?.Slots.Bytes ?? 0);

    /// <summary>Gets how many texts and maps the peer holds.</summary>
    public (int Texts, int Maps) Count => (_texts?.Slots.Count ?? 0, _maps?.Slots.Count ?? 0);

    /// <summary>Begins a packet.</summary>
    public void Begin()
    {
        _texts?.Slots.Begin();
        _maps?.Slots.Begin();
    }

    /// <summary>Ends the packet.</summary>
    /// <returns>How many bytes go in front of it.</returns>
    /// <exception cref="InvalidOperationException">The formatter left a map open.</exception>
    public int End()
    {
        if (_maps is { Scratch.IsOpen: true })
        {
            throw new InvalidOperationException("The formatter began a map for the table and did not end it: call MessagePackWriter.EndTableMap after its last value.");
        }

        if (!_dirty)
        {
            return 0;
        }

        _texts?.Packets.Close();
        _maps?.Packets.Close();
        return (_texts?.Packets.Length ?? 0) + (_maps?.Packets.Length ?? 0);
    }

    /// <summary>Gets the packets that go in front: texts first, because maps refer to them.</summary>
    public TablePackets? Strings => _texts?.Packets;

    /// <inheritdoc cref="Strings"/>
    public TablePackets? Maps => _maps?.Packets;

    /// <summary>Keeps what the packet added: it and what goes in front of it are on their way.</summary>
    public void Commit()
    {
        if (_dirty)
        {
            _dirty = false;
            _texts?.Commit();
            _maps?.Commit();
        }
    }

    /// <summary>Forgets what the packet added, as if it had never been.</summary>
    public void Rollback()
    {
        _maps?.Scratch.Close();
        if (_dirty)
        {
            _dirty = false;
            _texts?.Rollback();
            _maps?.Rollback();
        }
    }

    /// <summary>Finds the id of a text, and adds the text where it is worth it.</summary>
    /// <param name="text">The text, of at least <see cref="ShortestText"/> characters.</param>
    /// <param name="whole">The same as one object, where there is one.</param>
    /// <param name="mayBeUnique">It enters when it comes for the second time.</param>
    /// <returns>The id; -1: write it out.</returns>
    public int IdOf(ReadOnlySpan<char> text, string? whole, bool mayBeUnique) => _texts is null ? -1 : _texts.IdOf(text, whole, mayBeUnique, ref _dirty);

    /// <summary>Begins a map.</summary>
    /// <returns>Where it is to be written.</returns>
    public IBufferWriter<byte> BeginMap(IBufferWriter<byte> behind)
    {
        _maps!.Scratch.Open(behind);
        return _maps.Scratch;
    }

    /// <summary>Ends the map, and finds its id or adds it.</summary>
    /// <param name="mayBeUnique">It enters when it comes for the second time.</param>
    /// <param name="map">What to write out where there is no id; empty where it was written out already.</param>
    /// <returns>The id, or -1.</returns>
    public int EndMap(bool mayBeUnique, out ReadOnlySpan<byte> map)
    {
        _maps!.Scratch.Close();
        map = _maps.Scratch.Map;
        return map.IsEmpty ? -1 : _maps.IdOf(map, _texts?.Slots, mayBeUnique, ref _dirty);
    }

    private sealed class TextTable(int maxBytes, Lane lane)
    {
        private readonly Doorkeeper _door = new();

        public SlotTable<string> Slots { get; } = new(TableTypes.MaxIds, maxBytes);

        public TablePackets Packets { get; } = new(TableTypes.Strings, lane);

        public int IdOf(ReadOnlySpan<char> text, string? whole, bool mayBeUnique, ref bool dirty)
        {
            if (text.Length > LongestText)
            {
                return -1;
            }

            int hash = TextHash.Of(text);
            int tries = 0;
            for (int id = Slots.First(hash); id >= 0; id = Slots.Next(id, hash))
            {
                if (++tries > MostOfOneHash)
                {
                    return -1;
                }

                string key = Slots.KeyOf(id);
                if (ReferenceEquals(key, whole) || text.SequenceEqual(key.AsSpan()))
                {
                    return Slots.Use(id) == UsesForShortId + (text.Length / 2) && id >= SlotTable<string>.ShortIds ? Shorten(id, key, ref dirty) : id;
                }
            }

            bool first = text.Length <= LongText && !mayBeUnique && !Slots.IsFull;
            return first || _door.SeenBefore(hash) ? Add(whole ?? text.ToString(), hash, ref dirty) : -1;
        }

        public void Commit()
        {
            Slots.Commit();
            Packets.Clear();
        }

        public void Rollback()
        {
            Slots.Rollback();
            Packets.Clear();
        }

        private int Add(string text, int hash, ref bool dirty)
        {
            int bytes = Utf8.Count(text.AsSpan());
            int id = Slots.Add(text, hash, bytes);
            if (id >= 0)
            {
                dirty = true;
                Packets.Add(id, text, bytes);
            }

            return id;
        }

        private int Shorten(int id, string text, ref bool dirty)
        {
            int shorter = Slots.Promote(id);
            if (shorter < 0)
            {
                return id;
            }

            dirty = true;
            Packets.Add(shorter, text, Utf8.Count(text.AsSpan()));
            return shorter;
        }
    }

    /// <summary>Maps by their bytes, in which texts are ids; so an entry holds only as long as those ids mean what they meant.</summary>
    private sealed class MapTable(int maxBytes, Lane lane)
    {
        private readonly Doorkeeper _door = new();

        public MapScratch Scratch { get; } = new();

        public SlotTable<MapKey> Slots { get; } = new(TableTypes.MaxIds, maxBytes);

        public TablePackets Packets { get; } = new(TableTypes.Maps, lane);

        public int IdOf(ReadOnlySpan<byte> map, SlotTable<string>? texts, bool mayBeUnique, ref bool dirty)
        {
            int hash = TextHash.Of(map);
            int tries = 0;
            for (int id = Slots.First(hash); id >= 0; id = Slots.Next(id, hash))
            {
                if (++tries > MostOfOneHash)
                {
                    return -1;
                }

                MapKey key = Slots.KeyOf(id);
                if (map.SequenceEqual(key.Bytes) && key.Holds(texts))
                {
                    Slots.Use(id);
                    return id;
                }
            }

            if ((mayBeUnique || Slots.IsFull) && !_door.SeenBefore(hash))
            {
                return -1;
            }

            int added = Slots.Add(new MapKey(map.ToArray(), texts?.Packet ?? 0), hash, map.Length);
            if (added >= 0)
            {
                dirty = true;
                Packets.Add(added, map);
            }

            return added;
        }

        public void Commit()
        {
            Slots.Commit();
            Packets.Clear();
        }

        public void Rollback()
        {
            Slots.Rollback();
            Packets.Clear();
        }
    }

    private sealed class MapKey(byte[] bytes, int packet)
    {
        private int _packet = packet;

        public byte[] Bytes => bytes;

        /// <summary>Says whether every text in it is still the one it was when the peer got the map.</summary>
        public bool Holds(SlotTable<string>? texts)
        {
            if (texts is null || !texts.IsAnyNewer(_packet))
            {
                return true;
            }

            for (int at = 0; at < bytes.Length; at = MessagePackValue.EndOfToken(bytes, at))
            {
                if (TableRef.TryRead(bytes, at, out TableRef reference) && texts.IsNewer(reference.Id, _packet))
                {
                    return false;
                }
            }

            _packet = texts.Packet;
            return true;
        }
    }
}
