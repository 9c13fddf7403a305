using System.Buffers;

namespace Transport;

/// <summary>Turns one kind of packet into one MessagePack value and back. Must be stateless or safe for concurrent use.</summary>
/// <typeparam name="T">The packet.</typeparam>
public interface IPacketFormatter<T>
{
    /// <summary>Writes the packet as exactly one MessagePack value.</summary>
    /// <param name="output">The lane's open segment. Valid during the call; must not be kept, and nothing may be sent on the same link from
    /// inside.</param>
    /// <param name="packet">The packet.</param>
    void Write(IBufferWriter<byte> output, T packet);

    /// <summary>Reads the packet.</summary>
    /// <param name="body">The whole body. Valid during the call; must not be kept.</param>
    /// <returns>The packet, which owns all it refers to.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the bytes are not of the expected
    /// shape.</exception>
    T Read(in ReadOnlySequence<byte> body);
}

/// <summary>A formatter whose <see cref="IPacketFormatter{T}.Read"/> looks over the whole body itself, so that the link need not do it
/// first (about 25 ns for 256 bytes). Generated formatters do.</summary>
/// <typeparam name="T">The packet.</typeparam>
/// <remarks>
/// The promise: every byte is read or skipped as MessagePack, elements that it does not know with <see cref="PacketReader.Skip(int)"/>, and
/// <see cref="PacketReader.ReadEnd"/> comes last. A body that is anything but one valid value then ends in
/// <see cref="TransportFault.PacketMalformed"/>, as it must.
/// </remarks>
public interface IWholeBodyFormatter<T> : IPacketFormatter<T>
{
}
