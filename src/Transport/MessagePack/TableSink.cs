using System;
using System.Buffers;

namespace Transport;

/// <summary>Where a packet's texts and maps get ids, so that references to them travel in their place.</summary>
internal abstract class TableSink
{
    /// <summary>A shorter text takes no more bytes than a reference to it.</summary>
    public const int ShortestText = 4;

    /// <summary>Gets a value indicating whether texts may be referred to.</summary>
    public abstract bool HasTexts { get; }

    /// <summary>Gets a value indicating whether maps may be referred to.</summary>
    public abstract bool HasMaps { get; }

    /// <summary>Finds the id of a text, and adds the text if it is worth it.</summary>
    /// <param name="text">The text, of at least <see cref="ShortestText"/> characters.</param>
    /// <param name="whole">The same as one object, if there is one.</param>
    /// <param name="mayBeUnique">It enters when it comes for the second time.</param>
    /// <returns>The id; negative: write it out.</returns>
    public abstract int IdOf(ReadOnlySpan<char> text, string? whole, bool mayBeUnique);

    /// <summary>Begins a map.</summary>
    /// <returns>Where it is to be written.</returns>
    public abstract IBufferWriter<byte> BeginMap(IBufferWriter<byte> behind);

    /// <summary>Ends the map, and finds its id or adds it.</summary>
    /// <param name="mayBeUnique">It enters when it comes for the second time.</param>
    /// <param name="map">What to write out if there is no id; empty if it was written out already.</param>
    /// <returns>The id; negative: none.</returns>
    public abstract int EndMap(bool mayBeUnique, out ReadOnlySpan<byte> map);
}
