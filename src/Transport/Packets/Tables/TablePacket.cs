using System;
using System.Buffers;

namespace Transport.Packets.Tables;

/// <summary>The packet at hand of one lane, as a sequence that a <see cref="MessagePackReader"/> recognizes: its references can be followed. One object for all packets of the lane.</summary>
internal sealed class TablePacket(ReceiveTables tables, int maxPacket) : ReadOnlySequenceSegment<byte>
{
    /// <summary>What is kept from packet to packet for writing bodies out.</summary>
    private const int MostKept = 64 << 10;

    private ArrayWriter? _expanded;

    public ReceiveTables Tables => tables;

    /// <summary>Gets the packet's body as it came.</summary>
    public ReadOnlySequence<byte> Sequence => new(this, 0, this, Memory.Length);

    /// <summary>Holds a packet until the next.</summary>
    public TablePacket Hold(ReadOnlyMemory<byte> body)
    {
        Memory = body;
        _expanded = _expanded is { Array.Length: <= MostKept } ? _expanded : null;
        _expanded?.Clear();
        return this;
    }

    /// <summary>Gives the body with every reference written out.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>: it would be larger than any packet may be.</exception>
    public ReadOnlyMemory<byte> Expand()
    {
        _expanded ??= new ArrayWriter(1024);
        if (_expanded.Length == 0)
        {
            var writer = new MessagePackWriter(_expanded);
            bool hasMaps = Expand(ref writer, Memory.Span, tables);
            writer.Flush();
            if (hasMaps)
            {
                MessagePackValue.Check(_expanded.Written);   // a map may be nested as deep as a packet, and stand deep in one
            }
        }

        return _expanded.Array.AsMemory(0, _expanded.Length);
    }

    private bool Expand(ref MessagePackWriter writer, ReadOnlySpan<byte> body, TableSource source)
    {
        bool hasMaps = false;
        int copied = 0;
        for (int at = 0; at < body.Length;)
        {
            int end = MessagePackValue.EndOfToken(body, at);
            if (TableRef.TryRead(body, at, out TableRef reference))
            {
                WriteRaw(ref writer, body.Slice(copied, at - copied));
                copied = end;
                if (reference.Type == TableTypes.StringRef)
                {
                    string text = source.TextOf(reference.Id) ?? throw TableSource.Unset(at, reference);
                    int bytes = Utf8.Count(text.AsSpan());
                    ExpectRoom(ref writer, HeaderOf(bytes) + bytes);
                    writer.WriteString(text);
                }
                else
                {
                    TableMap map = source.MapOf(reference.Id) ?? throw TableSource.Unset(at, reference);
                    Expand(ref writer, map.Body, map);
                    hasMaps = true;
                }
            }

            at = end;
        }

        WriteRaw(ref writer, body.Slice(copied));
        return hasMaps;
    }

    private static int HeaderOf(int bytes) => bytes < 32 ? 1 : bytes <= byte.MaxValue ? 2 : bytes <= ushort.MaxValue ? 3 : 5;

    /// <summary>Also what is no text is counted: three bytes may stand for a map of megabytes.</summary>
    private void WriteRaw(ref MessagePackWriter writer, ReadOnlySpan<byte> bytes)
    {
        ExpectRoom(ref writer, bytes.Length);
        writer.WriteRaw(bytes);
    }

    private void ExpectRoom(ref MessagePackWriter writer, int more)
    {
        writer.Flush();
        if (_expanded!.Length + more > maxPacket)
        {
            _expanded.Clear();
            throw new TransportException(
                TransportFault.PacketTooLarge,
                $"A packet with references to its lane's tables has, written out, more than {maxPacket} bytes (LinkOptions.MaxPacketBytes): read it by its type, or take its bytes as they came (RawPacket.Encoded).");
        }
    }
}
