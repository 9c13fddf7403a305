using System;
using System.Buffers;

namespace Transport;

/// <summary>A <see cref="RawPacket"/> for asynchronous methods, which can have none: the same bytes on the same loan, as an object that
/// knows when the loan is over.</summary>
/// <remarks>
/// <para>The loan lasts until the handler's task has completed; a store may count on it until its own task has. Used later, everything here
/// throws <see cref="ObjectDisposedException"/>, and so does what was taken from here before: the packet, the memory's span, the
/// stream.</para>
/// <para>One thread at a time.</para>
/// </remarks>
public sealed class PacketLease
{
    private readonly Loan _loan;
    private readonly ushort _type;
    private readonly Lane _lane;
    private readonly ArraySegment<byte> _encoded;
    private readonly LentBody? _lent;
    private readonly ReceiveContext? _source;
    private LentMemory? _body;   // made when it is first asked for

    internal PacketLease(in RawPacket packet)
    {
        (_type, _lane, _lent, _source) = (packet.Type, packet.Lane, packet.Lent, packet.Source);
        _encoded = _lent is PiecedBody ? default : packet.EncodedBlock;
        _loan = packet.Loan;
        _loan.Lend();
    }

    /// <summary>Gets the packet, for a statement that awaits nothing: <c>lease.Packet.Read(type)</c>,
    /// <c>lease.Packet.OpenStream()</c>.</summary>
    /// <exception cref="ObjectDisposedException">The loan is over.</exception>
    public RawPacket Packet
    {
        get
        {
            _loan.ThrowIfOver();
            return new RawPacket(_type, _lane, _encoded) { Lent = _lent, Source = _source, Loan = _loan };
        }
    }

    /// <summary>Gets the whole body, as <see cref="RawPacket.Body"/>, for what is written by an await.</summary>
    /// <value>Memory on loan, whose span is asked for in vain once the loan is over.</value>
    /// <exception cref="ObjectDisposedException">The loan is over.</exception>
    /// <exception cref="TransportException">As <see cref="RawPacket.Body"/>.</exception>
    public ReadOnlyMemory<byte> Body
    {
        get
        {
            _loan.ThrowIfOver();
            return (_body ??= new LentMemory(Packet.Block, _loan)).Memory;
        }
    }

    /// <summary>Returns type, lane and size while the loan lasts.</summary>
    public override string ToString() => _loan.IsOver ? "a packet whose loan is over" : Packet.ToString();

    /// <summary>Memory that gives its bytes only while its loan lasts.</summary>
    private sealed class LentMemory(ReadOnlyMemory<byte> body, Loan loan) : MemoryManager<byte>
    {
        public override Span<byte> GetSpan()
        {
            loan.ThrowIfOver();
            return System.Runtime.InteropServices.MemoryMarshal.AsMemory(body).Span;
        }

        public override MemoryHandle Pin(int elementIndex = 0)
        {
            loan.ThrowIfOver();
            return body.Slice(elementIndex).Pin();
        }

        /// <summary>Nothing: the handle that <see cref="Pin"/> gives out ends its pin itself.</summary>
        public override void Unpin()
        {
        }

        protected override void Dispose(bool disposing)
        {
        }
    }
}
