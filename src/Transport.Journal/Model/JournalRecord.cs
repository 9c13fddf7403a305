using System;
using System.Buffers;

namespace Transport.Journal;

/// <summary>One packet as it was read, its body on loan until the reader's next call or its disposal.</summary>
/// <remarks>A ref struct, so that the compiler keeps it inside its loop: it fits into no list, no field, and lives over no <c>await</c>.
/// <see cref="ToArray"/> copies the body of one that must live longer, <see cref="Read"/> decodes it. A body that is asked for when the
/// reader has gone on throws.</remarks>
public readonly ref struct JournalRecord
{
    private readonly ReadOnlyMemory<byte> _body;
    private readonly ReaderTurn? _reader;
    private readonly long _turn;

    internal JournalRecord(
        long position, DateTimeOffset time, string node, ushort type, ReadOnlyMemory<byte> body, ReaderTurn? reader = null)
    {
        (Position, Time, Node, Type) = (position, time, node, type);
        (_body, _reader, _turn) = (body, reader, reader?.Now ?? 0);
    }

    /// <summary>Gets its position: greater than that of every packet before it, never used for another packet. Positions follow one another
    /// without gaps, but jump if the journal was opened after it had not been closed.</summary>
    public long Position { get; }

    /// <summary>Gets when it was taken, UTC.</summary>
    public DateTimeOffset Time { get; }

    /// <summary>Gets the name of the node that it came from.</summary>
    public string Node { get; }

    /// <summary>Gets the packet type.</summary>
    public ushort Type { get; }

    /// <summary>Gets the body; the reader owns the memory.</summary>
    /// <exception cref="ObjectDisposedException">The reader has gone on, or was disposed of.</exception>
    public ReadOnlySpan<byte> Body => Block.Span;

    /// <summary>Gets <see cref="Body"/> as the memory that it is.</summary>
    internal ReadOnlyMemory<byte> Block => _reader is null || _reader.Now == _turn ? _body : throw new ObjectDisposedException(
        nameof(JournalRecord), $"The reader has gone on since it read position {Position}: copy what must live longer (ToArray).");

    /// <summary>Copies the body.</summary>
    /// <returns>The caller's own bytes.</returns>
    /// <exception cref="ObjectDisposedException">As <see cref="Body"/>.</exception>
    public byte[] ToArray() => Body.ToArray();

    /// <summary>Reads the body as a packet.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type; only the formatter is used.</param>
    /// <returns>The packet, which owns all it refers to.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the bytes are not of the expected
    /// shape.</exception>
    /// <exception cref="ObjectDisposedException">As <see cref="Body"/>.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    public T Read<T>(PacketType<T> type) =>
        (type ?? throw new ArgumentNullException(nameof(type))).Formatter.Read(new ReadOnlySequence<byte>(Block));

    /// <summary>Returns position, node, type and size.</summary>
    public override string ToString() => FormattableString.Invariant($"{Position}: type {Type} from {Node}, {_body.Length} bytes");
}
