using System;

namespace Transport;

/// <summary>The packet at hand of one lane. One object for all packets of the lane.</summary>
internal sealed class TablePacket(ReceiveTables tables, int maxPacket) : ReferringBody
{
    private Expansion? _expansion;
    private bool _isDeep;

    public ReceiveTables Tables => tables;

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

    /// <inheritdoc/>
    public override TableSource BeginReading()
    {
        tables.BeginReading();
        return tables;
    }

    /// <inheritdoc/>
    public override ReadOnlyMemory<byte> Expand()
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
