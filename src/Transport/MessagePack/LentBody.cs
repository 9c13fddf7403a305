using System;
using System.Buffers;

namespace Transport;

/// <summary>A packet's body on loan that does not stand in one block as its sender meant it: in pieces, or with references to
/// tables.</summary>
internal abstract class LentBody : ReadOnlySequenceSegment<byte>
{
    /// <summary>Gets the body as it came.</summary>
    public abstract ReadOnlySequence<byte> Sequence { get; }

    /// <summary>Gets what <see cref="Expand"/> threw last: a fault of the packet, also if a handler lets it pass.</summary>
    public TransportException? Fault { get; protected set; }

    /// <summary>Gives the body in one block, every reference written out.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>: it would be larger than any packet may be.
    /// <see cref="TransportFault.PacketMalformed"/>: it would be nested too deep.</exception>
    public abstract ReadOnlyMemory<byte> Expand();
}
