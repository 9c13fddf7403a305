using System;
using System.Buffers;

namespace Transport;

/// <summary>The packet at hand of one lane, as a sequence that a <see cref="PacketReader"/> recognizes: its references can be followed. One
/// object for all packets of the lane.</summary>
internal sealed class TablePacket(ReceiveTables tables, int maxPacket) : ReadOnlySequenceSegment<byte>
{
    private Expansion? _expansion;
    private bool _isDeep;

    public ReceiveTables Tables => tables;

    /// <summary>Gets the packet's body as it came.</summary>
    public ReadOnlySequence<byte> Sequence => new(this, 0, this, Memory.Length);

    /// <summary>Gets what <see cref="Expand"/> threw last: a fault of the packet, also if a handler lets it pass.</summary>
    public TransportException? Fault { get; private set; }

    /// <summary>Holds a packet until the next.</summary>
    /// <param name="body">Its body as it came.</param>
    /// <param name="isDeep">Written out it is, or may be, nested too deep.</param>
    public TablePacket Hold(ReadOnlyMemory<byte> body, bool isDeep)
    {
        Memory = body;
        Fault = null;
        _isDeep = isDeep;
        _expansion?.Clear();
        return this;
    }

    /// <summary>Begins to read the packet.</summary>
    /// <returns>What its references stand for.</returns>
    public TableSource BeginReading()
    {
        tables.BeginReading();
        return tables;
    }

    /// <summary>Gives the body with every reference written out.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>: it would be larger than any packet may be.
    /// <see cref="TransportFault.PacketMalformed"/>: it would be nested too deep.</exception>
    public ReadOnlyMemory<byte> Expand()
    {
        try
        {
            _expansion ??= new Expansion(tables, maxPacket);
            if (!_expansion.IsDone)
            {
                _expansion.Write(Memory.Span);
            }

            if (_isDeep)
            {
                MessagePackValue.Check(_expansion.Written.Span);   // a map may be nested as deep as a packet, and stand deep in one
            }

            return _expansion.Written;
        }
        catch (TransportException fault)
        {
            Fault = fault;
            throw;
        }
    }
}
