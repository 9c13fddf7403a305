using System.Buffers;

namespace Transport;

/// <summary>A packet's body with references to tables, as a sequence that a <see cref="PacketReader"/> recognizes: it follows
/// them.</summary>
internal abstract class ReferringBody : LentBody
{
    /// <inheritdoc/>
    public override ReadOnlySequence<byte> Sequence => new(this, 0, this, Memory.Length);

    /// <summary>Begins to read the packet.</summary>
    /// <returns>What its references stand for.</returns>
    public abstract TableSource BeginReading();
}
