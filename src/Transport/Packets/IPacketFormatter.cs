using System.Buffers;

namespace Transport;

/// <summary>Turns one kind of packet into one MessagePack value and back. Must be stateless or safe for concurrent use.</summary>
/// <typeparam name="T">The packet.</typeparam>
public interface IPacketFormatter<T>
{
    /// <summary>Writes the packet as exactly one MessagePack value.</summary>
    /// <param name="output">The lane's open segment. Valid during the call; must not be kept.</param>
    /// <param name="packet">The packet.</param>
    /// <remarks>The call holds the lock of its lane, so send nothing from inside, on no link; a property that logs sends, too. A call of
    /// the same link throws. Formatters of two links that send on each other's link wait for each other forever.</remarks>
    void Write(IBufferWriter<byte> output, T packet);

    /// <summary>Reads the packet.</summary>
    /// <param name="body">The whole body. Valid during the call; must not be kept.</param>
    /// <returns>The packet, which owns all it refers to.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the bytes are not of the expected
    /// shape.</exception>
    T Read(in ReadOnlySequence<byte> body);
}
