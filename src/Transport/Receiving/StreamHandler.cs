using System;
using System.Buffers;
using System.IO;
using System.Threading.Tasks;

namespace Transport;

/// <summary>A handler of packets whose body is one bin, as a stream. A large one is not put together in one block for it.</summary>
internal sealed class StreamHandler(ushort type, Func<Stream, PacketContext, Task> handler) : PacketHandler
{
    public override string Name => $"type {type}";

    public override bool ChecksBody => true;

    public override ValueTask HandleAsync(RawPacket packet) => new(CallAsync(new ReadOnlySequence<byte>(packet.Encoded), packet.Context));

    /// <summary>Makes a handler of one packet whose body stands in several pieces.</summary>
    public PacketHandler Of(ReadOnlySequence<byte> body) => new OfPieces(this, body);

    private async Task CallAsync(ReadOnlySequence<byte> body, PacketContext context)
    {
        using LeaseStream stream = Open(body);
        try
        {
            await handler(stream, context).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            throw Failed(Name, e);
        }
    }

    private LeaseStream Open(in ReadOnlySequence<byte> body)
    {
        try
        {
            return LeaseStream.OfBin(body);
        }
        catch (TransportException malformed)
        {
            throw new TransportException(malformed.Fault, $"Packet {Name}: {malformed.Message}", malformed);
        }
    }

    private sealed class OfPieces(StreamHandler handler, ReadOnlySequence<byte> body) : PacketHandler
    {
        public override string Name => handler.Name;

        public override ValueTask HandleAsync(RawPacket packet) => new(handler.CallAsync(body, packet.Context));
    }
}
