using System;
using System.Buffers;
using System.IO;

namespace Transport;

/// <summary>A packet's bytes on loan: valid until the handler has returned (an asynchronous one: until its task has completed). Copy what
/// must live longer.</summary>
/// <param name="Type">The packet type.</param>
/// <param name="Lane">The lane it came in.</param>
/// <param name="Body">The whole body: one MessagePack value with all table references expanded. The link owns the memory.</param>
/// <remarks>
/// A packet whose type uses tables may have come with references to those of its link (<see cref="LinkOptions.UseTables"/>).
/// <see cref="Body"/> is then written out when it is first asked for, so it can be forwarded, kept or shown like any other.
/// <see cref="Read"/> is the cheaper way to its values: it follows the references instead.
/// A large packet that is one bin stands in pieces for an asynchronous handler. <see cref="Body"/> puts them together when it is first
/// asked for; <see cref="OpenStream"/> reads them as they stand.
/// </remarks>
public readonly record struct RawPacket(ushort Type, Lane Lane, ReadOnlyMemory<byte> Body)
{
    private readonly ReadOnlyMemory<byte> _encoded = Body;
    private readonly LentBody? _lent;

    /// <summary>Gets or initializes the whole body: one MessagePack value with all table references expanded. The link owns the
    /// memory.</summary>
    /// <value>At most <see cref="LinkOptions.MaxPacketBytes"/> bytes.</value>
    /// <exception cref="TransportException">On getting: <see cref="TransportFault.PacketTooLarge"/>: written out it is larger than
    /// <c>LinkOptions.MaxPacketBytes</c>; <see cref="TransportFault.PacketMalformed"/>: nested deeper than 64. A handler that lets it pass
    /// ends the link with that fault.</exception>
    public ReadOnlyMemory<byte> Body
    {
        get => _lent is null ? _encoded : _lent.Expand();
        init => (_encoded, _lent) = (value, null);
    }

    /// <summary>Gets the body as it came: with <see cref="HasReferences"/>, what its extensions 1 and 2 stand for is known to its link
    /// alone.</summary>
    public ReadOnlyMemory<byte> Encoded => _lent is PiecedBody pieced ? pieced.Expand() : _encoded;

    /// <summary>Gets a value indicating whether the body came with references to tables of its link.</summary>
    public bool HasReferences => _lent is ReferringBody;

    /// <summary>Gets or initializes where the packet came from.</summary>
    public PacketContext Context
    {
        get => new(Source, Lane);
        init => Source = value.Receiving;
    }

    internal ReceiveContext? Source { get; init; }

    /// <summary>Gets or initializes the body if it does not stand in one block as its sender meant it.</summary>
    internal LentBody? Lent
    {
        get => _lent;
        init => _lent = value;
    }

    /// <summary>Returns type, lane and size; it reads no body.</summary>
    public override string ToString() => FormattableString.Invariant(
        $"type {Type}, lane {Lane}, {(_lent is PiecedBody pieced ? pieced.Sequence.Length : _encoded.Length)} bytes");

    /// <summary>Opens the bytes that the body holds, which is one bin, as a stream to read: what <c>SendStreamAsync</c> has sent. An
    /// asynchronous handler reads a large one as it arrived, in pieces of at most 256 KiB; only a store
    /// (<see cref="PacketRouter.UseStore"/>) needs it in one block.</summary>
    /// <returns>A stream over the memory on loan: valid as long as <see cref="Body"/>. It can seek; disposing it is not needed.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the body is another value.</exception>
    public Stream OpenStream() => _lent is PiecedBody pieced ? pieced.Open() : LeaseStream.OfBin(new ReadOnlySequence<byte>(Body));

    /// <summary>Reads the packet; references are followed, and nothing is written out for it.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type; only the formatter is used.</param>
    /// <returns>The packet, which owns all it refers to.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the bytes are not of the expected
    /// shape.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    public T Read<T>(PacketType<T> type) =>
        (type ?? throw new ArgumentNullException(nameof(type))).Formatter.Read(
            _lent is null ? new ReadOnlySequence<byte>(_encoded) : _lent.Sequence);
}
