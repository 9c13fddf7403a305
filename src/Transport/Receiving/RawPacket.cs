using System;
using System.Buffers;
using System.IO;
using System.Runtime.InteropServices;

namespace Transport;

/// <summary>A packet's bytes on loan: valid until the handler has returned (an asynchronous one: until its task has completed).</summary>
/// <remarks>
/// <para>A ref struct, so that the compiler keeps it inside its handler: it fits into no list and no field, is no parameter of an
/// asynchronous method, and lives over no <c>await</c>. <see cref="ToArray"/> copies what must live longer, <see cref="Read"/> makes an object
/// that owns all it refers to, and <see cref="Lease"/> is what an asynchronous method takes. Behind the end of the loan the body, its copies
/// and what a lease gives throw <see cref="ObjectDisposedException"/>.</para>
/// <para>A packet whose type uses tables may have come with references to those of its link (<see cref="LinkOptions.UseTables"/>).
/// <see cref="Body"/> is then written out when it is first asked for, so it can be forwarded, kept or shown like any other.
/// <see cref="Read"/> is the cheaper way to its values: it follows the references instead.</para>
/// <para>A large packet that is one bin stands in pieces for an asynchronous handler. <see cref="Body"/> puts them together when it is
/// first asked for; <see cref="OpenStream"/> reads them as they stand.</para>
/// </remarks>
public readonly ref struct RawPacket
{
    private readonly ArraySegment<byte> _encoded;   // an array, which costs a formatter less to look into than memory of any kind
    private readonly LentBody? _lent;

    /// <summary>Initializes a new instance of the <see cref="RawPacket"/> struct over memory of the caller, for tests of handlers and
    /// stores: a link makes its own.</summary>
    /// <param name="type">The packet type.</param>
    /// <param name="lane">The lane.</param>
    /// <param name="body">One MessagePack value without references. The caller keeps the memory as it is as long as the packet or a lease
    /// of it is used. Memory that is no array is copied.</param>
    public RawPacket(ushort type, Lane lane, ReadOnlyMemory<byte> body)
        : this(type, lane, ArrayOf(body))
    {
    }

    /// <summary>Initializes a new instance of the <see cref="RawPacket"/> struct over an array of its link.</summary>
    internal RawPacket(ushort type, Lane lane, ArraySegment<byte> encoded) => (Type, Lane, _encoded) = (type, lane, encoded);

    /// <summary>Gets the packet type.</summary>
    public ushort Type { get; internal init; }

    /// <summary>Gets the lane that it came in.</summary>
    public Lane Lane { get; }

    /// <summary>Gets the whole body: one MessagePack value with all table references expanded.</summary>
    /// <value>At most <see cref="LinkOptions.MaxPacketBytes"/> bytes.</value>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketTooLarge"/>: written out it is larger than
    /// <c>LinkOptions.MaxPacketBytes</c>; <see cref="TransportFault.PacketMalformed"/>: nested deeper than 64. A handler that lets it pass
    /// ends the link with that fault.</exception>
    public ReadOnlySpan<byte> Body
    {
        get
        {
            Loan.ThrowIfOver();
            return Block.Span;
        }
    }

    /// <summary>Gets the body as it came: with <see cref="HasReferences"/>, what its extensions 1 and 2 stand for is known to its link
    /// alone.</summary>
    public ReadOnlySpan<byte> Encoded
    {
        get
        {
            Loan.ThrowIfOver();
            return EncodedBlock;
        }
    }

    /// <summary>Gets a value indicating whether the body came with references to tables of its link.</summary>
    public bool HasReferences => _lent is ReferringBody;

    /// <summary>Gets or initializes where the packet came from.</summary>
    public PacketContext Context
    {
        get => new(Source, Lane);
        init => Source = value.Receiving;
    }

    /// <summary>Gets how long the memory holds this packet; set by the link alone, whatever <see cref="Context"/> says.</summary>
    internal Loan Loan { get; init; }

    /// <summary>Gets the bytes of <see cref="Encoded"/>.</summary>
    internal int EncodedLength => _lent is PiecedBody pieced ? (int)pieced.Sequence.Length : _encoded.Count;

    /// <summary>Gets where the packet came from; null: from no link.</summary>
    internal ReceiveContext? Source { get; init; }

    /// <summary>Gets or initializes the body if it does not stand in one block as its sender meant it.</summary>
    internal LentBody? Lent
    {
        get => _lent;
        init => _lent = value;
    }

    /// <summary>Gets or initializes <see cref="Body"/> as the memory that it is.</summary>
    internal ReadOnlyMemory<byte> Block
    {
        get => _lent is null ? _encoded : _lent.Expand();
        init => (_encoded, _lent) = (ArrayOf(value), null);
    }

    /// <summary>Gets what a formatter reads. Who is not on the stack of the packet's handler looks behind it whether the loan has
    /// ended.</summary>
    internal ReadOnlySequence<byte> Sequence => _lent is not null ? _lent.Sequence
        : new ReadOnlySequence<byte>(_encoded.Array ?? [], _encoded.Offset, _encoded.Count);

    /// <summary>Gets <see cref="Encoded"/> as the array that it is.</summary>
    internal ArraySegment<byte> EncodedBlock => _lent is PiecedBody pieced ? ArrayOf(pieced.Expand()) : _encoded;

    /// <summary>Returns type, lane and size; it reads no body.</summary>
    public override string ToString() => FormattableString.Invariant(
        $"type {Type}, lane {Lane}, {EncodedLength} bytes");

    /// <summary>Copies the body.</summary>
    /// <returns>The caller's own bytes.</returns>
    /// <exception cref="TransportException">As <see cref="Body"/>.</exception>
    public byte[] ToArray()
    {
        byte[] copy = Body.ToArray();
        Loan.ThrowIfOverBehindRead();
        return copy;
    }

    /// <summary>Gives what an asynchronous method takes instead of the packet:
    /// <c>OnRaw(2000, packet => SaveAsync(packet.Lease()))</c>.</summary>
    /// <returns>The packet for as long as its loan; used later, it throws.</returns>
    public PacketLease Lease() => new(this);

    /// <summary>Opens the bytes that the body holds, which is one bin, as a stream to read: what <c>SendStreamAsync</c> has sent. An
    /// asynchronous handler reads a large one as it arrived, in pieces of at most 256 KiB; only a store
    /// (<see cref="PacketRouter.UseStore"/>) needs it in one block.</summary>
    /// <returns>A stream over the memory on loan. It can seek; disposing it is not needed. Reading it behind the end of the loan throws
    /// <see cref="ObjectDisposedException"/>.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the body is another value.</exception>
    public Stream OpenStream()
    {
        Loan.ThrowIfOver();
        Loan.Lend();
        return LeaseStream.OfBin(_lent is PiecedBody pieced ? pieced.Sequence : new ReadOnlySequence<byte>(Block), Loan);
    }

    /// <summary>Reads the packet; references are followed, and nothing is written out for it.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type; only the formatter is used.</param>
    /// <returns>The packet, which owns all it refers to.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the bytes are not of the expected
    /// shape.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    public T Read<T>(PacketType<T> type)
    {
        _ = type ?? throw new ArgumentNullException(nameof(type));
        Loan.ThrowIfOver();
        T packet = type.Formatter.Read(Sequence);
        Loan.ThrowIfOverBehindRead();
        return packet;
    }

    private static ArraySegment<byte> ArrayOf(ReadOnlyMemory<byte> body) =>
        MemoryMarshal.TryGetArray(body, out ArraySegment<byte> array) ? array : new ArraySegment<byte>(body.ToArray());
}
