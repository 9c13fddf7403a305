using System;
using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Transport;

/// <summary>Writes MessagePack values (https://github.com/msgpack/msgpack/blob/master/spec.md) straight into an
/// <see cref="IBufferWriter{T}"/>.</summary>
/// <remarks>
/// <para>Every value gets its shortest encoding. Nothing is allocated. No more than 32 contiguous bytes are ever asked for: long texts and
/// byte strings are written in as many pieces as the buffer's spans make them.</para>
/// <para>One thread. The buffer belongs to the caller and must not be touched by anyone else between the first write and
/// <see cref="Flush"/>, which must be called at the end: without it the last bytes are lost. Pass the writer on by <c>ref</c>: a copy
/// counts for itself.</para>
/// </remarks>
public ref partial struct PacketWriter
{
    /// <summary>What is asked of the buffer at a time; larger than any scalar (a timestamp takes 15 bytes).</summary>
    private const int Hint = 32;

    private IBufferWriter<byte> _output;
    private Span<byte> _span;
    private int _used;
    private int _nested;
    private TableSink? _tables;            // looked for when they are first asked for
    private IBufferWriter<byte>? _behind;   // the packet's own buffer, while a map for the table is written to another
    private int _openMaps;
    private bool _looked;

    /// <summary>Initializes a new instance of the <see cref="PacketWriter"/> struct.</summary>
    /// <param name="output">Where the bytes go; must keep the contract of <see cref="IBufferWriter{T}.GetSpan"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="output"/> is null.</exception>
    public PacketWriter(IBufferWriter<byte> output)
    {
        _output = output ?? throw new ArgumentNullException(nameof(output));
        _span = output.GetSpan(Hint);
        _used = 0;
        _nested = 0;
    }

    /// <summary>Reports to the buffer how much was written. The writer may go on afterwards.</summary>
    public void Flush()
    {
        if (_used > 0)
        {
            _output.Advance(_used);
            _used = 0;
        }

        _span = default;
    }

    /// <summary>Gives the buffer to another writer, with all that was written. This one may go on when the other has ended.</summary>
    internal IBufferWriter<byte> Release()
    {
        Flush();
        return _output;
    }

    /// <summary>Writes bytes that are MessagePack already: whole values, or a part of one that the caller completes.</summary>
    /// <param name="bytes">The bytes, copied before the call returns.</param>
    public void WriteRaw(ReadOnlySpan<byte> bytes)
    {
        while (bytes.Length > _span.Length - _used)
        {
            int fits = _span.Length - _used;
            bytes.Slice(0, fits).CopyTo(_span.Slice(_used));
            _used += fits;
            bytes = bytes.Slice(fits);
            Grow();
        }

        bytes.CopyTo(_span.Slice(_used));
        _used += bytes.Length;
    }

    /// <summary>Writes nil.</summary>
    public void WriteNil() => WriteByte(MessagePackCode.Nil);

    /// <summary>Writes true or false.</summary>
    /// <param name="value">The value.</param>
    public void WriteBoolean(bool value) => WriteByte(value ? MessagePackCode.True : MessagePackCode.False);

    /// <summary>Writes the start of an array; exactly as many values must follow.</summary>
    /// <param name="count">How many values, from 0.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative.</exception>
    public void WriteArrayHeader(int count)
    {
        if ((uint)count <= 15)
        {
            WriteByte((byte)(MessagePackCode.FixArray | count));
            return;
        }

        WriteLongHeader(count, MessagePackCode.Array16);
    }

    /// <summary>Writes the start of a map; exactly as many pairs of key and value must follow.</summary>
    /// <param name="count">How many pairs, from 0.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative.</exception>
    public void WriteMapHeader(int count)
    {
        if ((uint)count <= 15)
        {
            WriteByte((byte)(MessagePackCode.FixMap | count));
            return;
        }

        WriteLongHeader(count, MessagePackCode.Map16);
    }

    /// <summary>The 16 and 32 bit headers of a container, whose codes stand next to each other.</summary>
    private void WriteLongHeader(int count, byte code16)
    {
        if (count < 0)
        {
            throw new ArgumentOutOfRangeException(nameof(count), count, "A count cannot be negative.");
        }

        if (count <= ushort.MaxValue)
        {
            WriteCode(code16, (ushort)count);
        }
        else
        {
            WriteCode((byte)(code16 + 1), (uint)count);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void WriteByte(byte value)
    {
        Capacity(1) = value;
        _used++;
    }

    /// <summary>Gives the first free byte, with at least <paramref name="size"/> of them (at most <see cref="Hint"/>) from it on.</summary>
    /// <remarks>It may begin a new span and with it a new count: read <c>_used</c> after this call, not before.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref byte Capacity(int size)
    {
        if (_span.Length - _used < size)
        {
            Grow();
        }

        return ref Unsafe.Add(ref MemoryMarshal.GetReference(_span), _used);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow()
    {
        Flush();
        Span<byte> span = _output.GetSpan(Hint);
        if (span.Length < Hint)
        {
            // Everything behind Capacity writes without looking again, so a buffer that breaks its contract must not get that far.
            throw new InvalidOperationException($"The buffer was asked for {Hint} bytes and gave {span.Length}.");
        }

        _span = span;
    }
}
