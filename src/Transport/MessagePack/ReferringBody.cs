using System;
using System.Buffers;

namespace Transport;

/// <summary>A packet's body with references to tables, as a sequence that a <see cref="PacketReader"/> recognizes: it follows
/// them.</summary>
internal abstract class ReferringBody : ReadOnlySequenceSegment<byte>
{
    /// <summary>Gets the body as it came.</summary>
    public ReadOnlySequence<byte> Sequence => new(this, 0, this, Memory.Length);

    /// <summary>Gets what <see cref="Expand"/> threw last: a fault of the packet, also if a handler lets it pass.</summary>
    public TransportException? Fault { get; protected set; }

    /// <summary>Begins to read the packet.</summary>
    /// <returns>What its references stand for.</returns>
    public abstract TableSource BeginReading();

    /// <summary>Gives the body with every reference written out.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>: it would be larger than any packet may be.
    /// <see cref="TransportFault.PacketMalformed"/>: it would be nested too deep.</exception>
    public abstract ReadOnlyMemory<byte> Expand();
}
