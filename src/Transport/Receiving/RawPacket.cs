using System;
using System.Buffers;
using System.IO;

namespace Transport;

/// <summary>A packet's bytes on loan: valid until the handler has returned (an asynchronous one: until its task has completed). Copy what
/// must live longer.</summary>
/// <param name="Type">The packet type.</param>
/// <param name="Lane">The lane it came in.</param>
/// <param name="Body">The whole body: one MessagePack value, which stands for itself. The link owns the memory.</param>
/// <remarks>
/// A packet whose type uses tables may have come with references to those of its link (<see cref="LinkOptions.StringTables"/>).
/// <see cref="Body"/> is then written out
/// when it is first asked for, so it can be forwarded, kept or shown like any other. <see cref="Read"/> is the cheaper way to its values:
/// it
/// follows the references instead.
/// </remarks>
public readonly record struct RawPacket(ushort Type, Lane Lane, ReadOnlyMemory<byte> Body)
{
    private readonly ReadOnlyMemory<byte> _encoded = Body;
    private readonly ReferringBody? _tables;

    /// <summary>Gets or initializes the whole body: one MessagePack value, which stands for itself. The link owns the memory.</summary>
    /// <value>At most <see cref="LinkOptions.MaxPacketBytes"/> bytes.</value>
    /// <exception cref="TransportException">On getting: <see cref="TransportFault.PacketTooLarge"/>: written out it is larger than
    /// <c>LinkOptions.MaxPacketBytes</c>; <see cref="TransportFault.PacketMalformed"/>: nested deeper than 64. A handler that lets it pass
    /// ends the link with that fault.</exception>
    public ReadOnlyMemory<byte> Body
    {
        get => _tables is null ? _encoded : _tables.Expand();
        init => (_encoded, _tables) = (value, null);
    }

    /// <summary>Gets the body as it came: with <see cref="HasReferences"/>, what its extensions 1 and 2 stand for is known to its link
    /// alone.</summary>
    public ReadOnlyMemory<byte> Encoded => _encoded;

    /// <summary>Gets a value indicating whether the body came with references to tables of its link.</summary>
    public bool HasReferences => _tables is not null;

    /// <summary>Gets or initializes where the packet came from.</summary>
    public PacketContext Context
    {
        get => new(Source, Lane);
        init => Source = value.Receiving;
    }

    internal ReceiveContext? Source { get; init; }

    internal ReferringBody? Tables
    {
        get => _tables;
        init => _tables = value;
    }

    /// <summary>Returns type, lane and size; it reads no body.</summary>
    public override string ToString() => FormattableString.Invariant($"type {Type}, lane {Lane}, {_encoded.Length} bytes");

    /// <summary>Opens the bytes that the body holds, which is one bin, as a stream to read: what <c>SendStreamAsync</c> has sent.</summary>
    /// <returns>A stream over the memory on loan: valid as long as <see cref="Body"/>. It can seek; disposing it is not needed.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the body is another value.</exception>
    /// <remarks><see cref="PacketRouter.OnStream"/> gives such a stream of a packet that needs no block of its size.</remarks>
    public Stream OpenStream() => LeaseStream.OfBin(new ReadOnlySequence<byte>(Body));

    /// <summary>Reads the packet; references are followed, and nothing is written out for it.</summary>
    /// <typeparam name="T">The packet.</typeparam>
    /// <param name="type">Its type; only the formatter is used.</param>
    /// <returns>The packet, which owns all it refers to.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the bytes are not of the expected
    /// shape.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    public T Read<T>(PacketType<T> type) =>
        (type ?? throw new ArgumentNullException(nameof(type))).Formatter.Read(
            _tables is null ? new ReadOnlySequence<byte>(_encoded) : _tables.Sequence);
}
