using System;

namespace Transport.Journal;

/// <summary>
/// One packet as it was read. Its body is on loan: valid until the reader's next call or its disposal. Copy what must live longer.
/// </summary>
/// <param name="Position">
/// Its position: greater than that of every packet before it, never used for another packet. Positions follow one another without gaps,
/// but jump if the journal was opened after it had not been closed.
/// </param>
/// <param name="Time">When it was taken, UTC.</param>
/// <param name="Node">The name of the node that it came from.</param>
/// <param name="Type">The packet type.</param>
/// <param name="Body">The body. The reader owns the memory.</param>
public readonly record struct JournalRecord(long Position, DateTimeOffset Time, string Node, ushort Type, ReadOnlyMemory<byte> Body)
{
    /// <summary>Returns position, node, type and size.</summary>
    public override string ToString() => FormattableString.Invariant($"{Position}: type {Type} from {Node}, {Body.Length} bytes");
}
