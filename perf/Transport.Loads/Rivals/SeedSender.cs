using System;
using System.Buffers;
using System.IO.Pipes;
using System.Threading.Channels;
using System.Threading.Tasks;
using Transport.Loads.Events;

namespace Transport.Loads.Rivals;

/// <summary>The shape this library began from: each packet serialized into a pooled buffer of its own, a channel, one awaited pipe write a
/// packet, the buffer returned after it.</summary>
internal sealed class SeedSender : IEventSender
{
#pragma warning disable RS0030 // The shared pool and the write with its default token are what people write; this is their column.
    private static readonly ArrayPool<byte> s_pool = ArrayPool<byte>.Shared;
    private readonly Channel<ArraySegment<byte>> _packets =
        Channel.CreateUnbounded<ArraySegment<byte>>(new UnboundedChannelOptions { SingleReader = true });
    private readonly NamedPipeClientStream _pipe;
    private readonly Task _writing;

    public SeedSender(string address)
    {
        _pipe = new NamedPipeClientStream(".", address, PipeDirection.InOut, PipeOptions.Asynchronous);
        _pipe.Connect(10_000);
        _writing = Task.Run(WriteAsync);
    }

    public void Send(LoadEvent e)
    {
        byte[] buffer = s_pool.Rent(HandCodec.SizeOf(e));
        _packets.Writer.TryWrite(new ArraySegment<byte>(buffer, 0, HandCodec.Write(buffer, e)));
    }

    public void Flush()
    {
        // Nothing waits for more.
    }

    public void Dispose()
    {
        _packets.Writer.TryComplete();
        _writing.GetAwaiter().GetResult();
        _pipe.Dispose();
    }

    private async Task WriteAsync()
    {
        await foreach (ArraySegment<byte> packet in _packets.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            await _pipe.WriteAsync(packet.AsMemory()).ConfigureAwait(false);
            s_pool.Return(packet.Array!);
        }
    }
#pragma warning restore RS0030
}
