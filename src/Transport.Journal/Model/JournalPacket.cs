using System;

namespace Transport.Journal;

/// <summary>One packet to append, for appending several at once.</summary>
/// <param name="Node">The node that it came from.</param>
/// <param name="Type">The packet type, any number.</param>
/// <param name="Body">
/// The body, 0 to <see cref="JournalOptions.MaxPacketBytes"/> bytes; one MessagePack value if readers are to decode it. Copied before
/// the call returns.
/// </param>
/// <param name="Time">When it was taken, or the default value for "now" by the journal's clock.</param>
public readonly record struct JournalPacket(JournalNode Node, ushort Type, ReadOnlyMemory<byte> Body, DateTimeOffset Time = default)
{
    /// <summary>Returns node, type and size.</summary>
    public override string ToString() => FormattableString.Invariant($"type {Type} from {Node?.Name}, {Body.Length} bytes");
}
