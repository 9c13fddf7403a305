using System;
using System.Buffers;
using System.Runtime.InteropServices;

namespace Transport;

/// <summary>Reads MessagePack values (https://github.com/msgpack/msgpack/blob/master/spec.md) from a packet's body.</summary>
/// <remarks>
/// <para>Every valid encoding is taken, also a longer one than needed. Whatever else comes is a <see cref="TransportException"/> with
/// <see cref="TransportFault.PacketMalformed"/> that says at which byte, what was expected and what was found; the reader then stands where
/// it stood before the call. A claimed count or length is compared with the bytes there are before anything is done with it.</para>
/// <para>One thread. The bytes belong to the caller; spans that the reader gives are parts of them and live no longer. Pass the reader on
/// by <c>ref</c>: a copy counts for itself.</para>
/// </remarks>
public ref partial struct PacketReader
{
    private readonly ReadOnlySpan<byte> _data;
    private readonly TableSource? _tables;
    private int _position;
    private int _nested;

    /// <summary>Initializes a new instance of the <see cref="PacketReader"/> struct over contiguous bytes.</summary>
    /// <param name="data">The bytes; must not change while the reader is used.</param>
    public PacketReader(ReadOnlySpan<byte> data) => _data = data;

    /// <summary>Initializes a new instance of the <see cref="PacketReader"/> struct over a body as a formatter gets it.</summary>
    /// <param name="data">The bytes; must not change while the reader is used. Copied into one new array if they stand in several segments,
    /// and only then.</param>
    public PacketReader(in ReadOnlySequence<byte> data)
        : this(
            SequenceMarshal.TryGetArray(data, out ArraySegment<byte> array) ? array
                : data.IsSingleSegment ? data.First.Span : data.ToArray(),
            array.Array is null ? TablesOf(data) : null)
    {
    }

    /// <summary>Gets how many bytes have been read.</summary>
    public readonly int Consumed => _position;

    /// <summary>Gets how many bytes are left.</summary>
    public readonly int Remaining => _data.Length - _position;

    /// <summary>Gets a value indicating whether all bytes have been read.</summary>
    public readonly bool AtEnd => _position == _data.Length;

    /// <summary>Returns what the next value is, without reading it. A reference to a table of the link's is what it stands for.</summary>
    /// <returns>The kind.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no byte left, or 0xc1 (never used).</exception>
    public readonly PacketValueKind PeekKind()
    {
        byte code = Peek("a value");
        if (_tables is not null && MessagePackCode.KindOf(code) == PacketValueKind.Extension)
        {
            return IsRef(TableRef.String, out _) ? PacketValueKind.String : IsRef(TableRef.Map, out _) ? PacketValueKind.Map
                : PacketValueKind.Extension;
        }

        return code == MessagePackCode.NeverUsed ? throw Unexpected("a value") : MessagePackCode.KindOf(code);
    }

    /// <summary>Reads nil.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the next value is not nil.</exception>
    public void ReadNil()
    {
        if (!TryReadNil())
        {
            throw Unexpected("nil");
        }
    }

    /// <summary>Reads nil if it is next; anything else is left to be read.</summary>
    /// <returns>True if nil was read.</returns>
    public bool TryReadNil()
    {
        if ((uint)_position < (uint)_data.Length && _data[_position] == MessagePackCode.Nil)
        {
            _position++;
            return true;
        }

        return false;
    }

    /// <summary>Reads true or false.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the next value is neither.</exception>
    public bool ReadBoolean()
    {
        byte code = Peek("true or false");
        if (code is not (MessagePackCode.True or MessagePackCode.False))
        {
            throw Unexpected("true or false");
        }

        _position++;
        return code == MessagePackCode.True;
    }

    /// <summary>Reads the start of an array.</summary>
    /// <returns>How many values follow; never more than there are bytes left.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the next value is no array (nor may it be nil),
    /// or it claims more values than there are bytes.</exception>
    public int ReadArrayHeader() => ReadCount("an array", MessagePackCode.FixArray, MessagePackCode.Array16, valuesEach: 1);

    /// <summary>Reads the start of an array whose first elements are known. Fields are only ever added at the end: read those that you
    /// know, then give the others to <see cref="Skip(int)"/>.</summary>
    /// <param name="atLeast">How many elements it must have.</param>
    /// <returns>How many it has, <paramref name="atLeast"/> or more.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no array of so many elements.</exception>
    public int ReadArrayHeader(int atLeast)
    {
        int start = _position;
        int count = ReadArrayHeader();
        if (count < atLeast)
        {
            _position = start;
            throw MessagePackFault.Wrong(start, $"an array of at least {atLeast} elements", $"one of {count}");
        }

        return count;
    }

    /// <summary>Reads the start of an array, or nil.</summary>
    /// <param name="count">How many values follow; 0 for nil.</param>
    /// <returns>False if nil was read.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the next value is neither, or claims more values
    /// than there are bytes.</exception>
    public bool TryReadArrayHeader(out int count)
    {
        count = 0;
        if (TryReadNil())
        {
            return false;
        }

        count = ReadCount("an array or nil", MessagePackCode.FixArray, MessagePackCode.Array16, valuesEach: 1);
        return true;
    }

    /// <summary>Reads the start of a map.</summary>
    /// <returns>How many pairs of key and value follow; never more than half of the bytes left.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the next value is no map (nor may it be nil), or
    /// it claims more pairs than there are bytes.</exception>
    public int ReadMapHeader() => ReadCount("a map", MessagePackCode.FixMap, MessagePackCode.Map16, valuesEach: 2);

    /// <summary>Reads the start of a map, or nil.</summary>
    /// <param name="count">How many pairs follow; 0 for nil.</param>
    /// <returns>False if nil was read.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the next value is neither, or claims more pairs
    /// than there are bytes.</exception>
    public bool TryReadMapHeader(out int count)
    {
        count = 0;
        if (TryReadNil())
        {
            return false;
        }

        count = ReadCount("a map or nil", MessagePackCode.FixMap, MessagePackCode.Map16, valuesEach: 2);
        return true;
    }

    /// <summary>Passes over one value with all that it holds.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no whole value, or deeper than 64.</exception>
    public void Skip() => _position = MessagePackValue.EndOf(_data, _position);

    /// <summary>Passes over several elements of an array.</summary>
    /// <param name="count">How many; none for 0 or less.</param>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no whole value, or deeper than 64.</exception>
    public void Skip(int count)
    {
        int end = _position;
        for (; count > 0; count--)
        {
            end = MessagePackValue.EndOf(_data, end, MessagePackValue.MaxDepth - 1 - _nested);
        }

        _position = end;
    }

    /// <summary>Passes over one value and gives its bytes.</summary>
    /// <returns>The value as it stands in the body, to be kept or sent on as it is.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no whole value, or deeper than 64.</exception>
    public ReadOnlySpan<byte> ReadRaw()
    {
        int start = _position;
        Skip();
        return _data.Slice(start, _position - start);
    }

    private readonly byte Peek(string expected) =>
        (uint)_position < (uint)_data.Length ? _data[_position] : throw Unexpected(expected);

    private readonly TransportException Unexpected(string expected) => MessagePackFault.Unexpected(_data, _position, expected);
}
