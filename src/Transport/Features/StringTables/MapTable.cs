using System;

namespace Transport;

/// <summary>A sender's table of maps, by their bytes. Texts in them are ids, which never change their meaning.</summary>
internal sealed class MapTable(int maxBytes, Lane lane) : SendTable<byte[]>(TableTypes.Maps, maxBytes, lane)
{
    /// <summary>Gets where a map is written until it is known whether the peer has it.</summary>
    public MapScratch Scratch { get; } = new();

    /// <summary>Finds the id of a map, and adds the map if it is worth it.</summary>
    /// <param name="map">The whole map in MessagePack.</param>
    /// <param name="mayBeUnique">It enters when it comes for the second time.</param>
    /// <returns>The id; negative: write it out.</returns>
    public int IdOf(ReadOnlySpan<byte> map, bool mayBeUnique)
    {
        int hash = TextHash.Of(map);
        int id = Find(map, hash);
        if (id != None || !HasCapacity(map.Length) || (mayBeUnique && !CameBefore(hash)))
        {
            return id;
        }

        id = Add(map.ToArray(), hash, map.Length);
        Packets.Add(id, map);
        return id;
    }

    /// <inheritdoc/>
    protected override ReadOnlySpan<byte> BytesOf(byte[] key) => key;
}
