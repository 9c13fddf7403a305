using System;
using System.Runtime.InteropServices;

namespace Transport;

/// <summary>Writes packets out, each reference replaced by what it stands for, into one array that is kept from packet to packet.</summary>
/// <remarks>A packet that fits what is there is written in one pass. Any other is measured first: three bytes may stand for a map of
/// megabytes, and what is too large costs no memory then.</remarks>
/// <param name="tables">The lane's tables, which keep maps written out.</param>
/// <param name="maxPacket">The most bytes of a packet that is written out.</param>
internal sealed class Expansion(ReceiveTables tables, int maxPacket)
{
    /// <summary>
    /// The most that is kept from packet to packet. Packets of a build that bring all properties and items of a project have 70 to 200 KB
    /// written out: with 64 KiB a journal's main node made an array for each of them on the large object heap, and its collections were a
    /// third of what the journal cost.
    /// </summary>
    private const int MostKept = 1 << 20;

    private const int Least = 4 << 10;

    private byte[] _bytes = [];
    private int _length;
    private int _capacity;

    /// <summary>Gets what was written out last.</summary>
    public ReadOnlyMemory<byte> Written => _bytes.AsMemory(0, _length);

    /// <summary>Gets a value indicating whether a packet is written out.</summary>
    public bool IsDone { get; private set; }

    /// <summary>Forgets the packet.</summary>
    public void Clear()
    {
        _bytes = _bytes.Length <= MostKept ? _bytes : [];
        IsDone = false;
    }

    /// <summary>Writes a packet out.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>: it would be larger than any packet may be.
    /// <see cref="TransportFault.PacketMalformed"/>: a reference is to what was never set.</exception>
    public void Write(ReadOnlySpan<byte> body)
    {
        if (!TryWriteAll(body))
        {
            int size = (int)Measure(body, tables, 0);
            _bytes = new byte[Math.Max(size, (int)Math.Min(maxPacket, Math.Min(MostKept, Math.Max(Least, 2L * size))))];
            if (!TryWriteAll(body))
            {
                throw new InvalidOperationException(
                    $"A packet of {size} bytes written out does not fit {_bytes.Length}: this is a defect of the library.");
            }
        }

        IsDone = true;
    }

    private bool TryWriteAll(ReadOnlySpan<byte> body)
    {
        (_length, _capacity) = (0, Math.Min(_bytes.Length, maxPacket));
        return TryWrite(body, tables);
    }

    private bool TryWrite(ReadOnlySpan<byte> body, TableSource source)
    {
        int copied = 0;
        for (int at = 0; at < body.Length;)
        {
            int end = MessagePackValue.EndOfToken(body, at);
            if (TableRef.TryRead(body, at, out TableRef reference))
            {
                if (!TryPut(body.Slice(copied, at - copied)) || !TryPut(at, source, reference))
                {
                    return false;
                }

                copied = end;
            }

            at = end;
        }

        return TryPut(body.Slice(copied));
    }

    private bool TryPut(int at, TableSource source, in TableRef reference)
    {
        if (reference.Type == TableRef.String)
        {
            return TryPut(Text(at, source, reference));
        }

        TableMap map = Map(at, source, reference);
        if (map.WrittenOut is { } bytes)
        {
            return TryPut(bytes);
        }

        int start = _length;
        if (!TryWrite(map.Body, map))
        {
            return false;
        }

        if (map.IsUsed)
        {
            tables.TryKeep(map, _bytes.AsSpan(start, _length - start));
        }

        map.IsUsed = true;
        return true;
    }

    private bool TryPut(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length > _capacity - _length)
        {
            return false;
        }

        bytes.CopyTo(_bytes.AsSpan(_length));
        _length += bytes.Length;
        return true;
    }

    private bool TryPut(string text)
    {
        int capacity = _capacity - _length;
        if (((long)text.Length * Utf8.MaxBytesPerChar) + 5 > capacity && SizeOf(text) > capacity)
        {
            return false;
        }

        // Capacity for the header that fits if all is ASCII; the text is moved in the rare case that it needs a longer one.
        Span<byte> to = _bytes.AsSpan(_length, capacity);
        int header = PacketWriter.StrHeaderSize(text.Length);
        int bytes = Utf8.Encode(text.AsSpan(), to.Slice(header));
        if (bytes != text.Length)
        {
            to.Slice(header, bytes).CopyTo(to.Slice(PacketWriter.StrHeaderSize(bytes)));
        }

        _length += PacketWriter.PutStrHeader(ref MemoryMarshal.GetReference(to), bytes) + bytes;
        return true;
    }

    private static string Text(int at, TableSource source, in TableRef reference) => source.TextOf(reference.Id)
        ?? throw TableSource.Unset(at, reference);

    private static TableMap Map(int at, TableSource source, in TableRef reference) => source.MapOf(reference.Id)
        ?? throw TableSource.Unset(at, reference);

    private static int SizeOf(string text)
    {
        int bytes = Utf8.Count(text.AsSpan());
        return PacketWriter.StrHeaderSize(bytes) + bytes;
    }

    /// <summary>Adds up what the body takes written out; gives up if that is too much, so that it takes no longer than as many bytes
    /// would.</summary>
    private long Measure(ReadOnlySpan<byte> body, TableSource source, long before)
    {
        // What is still to come does not count: a reference takes three bytes or more, and may stand for one.
        long size = before;
        for (int at = 0; at < body.Length;)
        {
            int end = MessagePackValue.EndOfToken(body, at);
            if (!TableRef.TryRead(body, at, out TableRef reference))
            {
                size += end - at;
            }
            else if (reference.Type == TableRef.String)
            {
                size += SizeOf(Text(at, source, reference));
            }
            else
            {
                TableMap map = Map(at, source, reference);
                size = map.WrittenOut is { } bytes ? size + bytes.Length : Measure(map.Body, map, size);
            }

            ExpectCapacity(size);
            at = end;
        }

        return size;
    }

    private void ExpectCapacity(long size)
    {
        if (size > maxPacket)
        {
            throw new TransportException(
                TransportFault.PacketTooLarge,
                $"A packet with references to its lane's tables has, written out, more than {maxPacket} bytes "
                    + "(LinkOptions.MaxPacketBytes): read it by its type, or take its bytes as they came (RawPacket.Encoded).");
        }
    }
}
