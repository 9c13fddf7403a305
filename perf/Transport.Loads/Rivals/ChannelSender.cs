using System.IO.Pipelines;
using System.Net.Sockets;
using System.Threading.Channels;
using System.Threading.Tasks;
using Transport.Loads.Events;

namespace Transport.Loads.Rivals;

/// <summary>The best that two pages give: a bounded channel of objects, one consumer that encodes into a pipe writer and flushes when the
/// channel is dry or 64 KB are pending.</summary>
internal sealed class ChannelSender : IEventSender
{
    private const int Bound = 10_000;
    private const int Batch = 64 << 10;

    private readonly Channel<LoadEvent> _events =
        Channel.CreateBounded<LoadEvent>(new BoundedChannelOptions(Bound) { SingleReader = true });
    private readonly Socket _socket;
    private readonly PipeWriter _output;
    private readonly Task _writing;

    public ChannelSender(string address)
    {
        _socket = LocalSocket.Connect(address);
        _output = PipeWriter.Create(new NetworkStream(_socket), new StreamPipeWriterOptions(minimumBufferSize: Batch));
        _writing = Task.Run(WriteAsync);
    }

    public void Send(LoadEvent e)
    {
        if (!_events.Writer.TryWrite(e))
        {
            _events.Writer.WriteAsync(e).AsTask().GetAwaiter().GetResult();
        }
    }

    public void Flush()
    {
        // The consumer flushes when the channel is dry.
    }

    public void Dispose()
    {
        _events.Writer.TryComplete();
        _writing.GetAwaiter().GetResult();
        _socket.Dispose();
    }

    private async Task WriteAsync()
    {
        int pending = 0;
        while (await _events.Reader.WaitToReadAsync().ConfigureAwait(false))
        {
            while (_events.Reader.TryRead(out LoadEvent? e))
            {
                int size = HandCodec.Write(_output.GetSpan(HandCodec.MaxSize), e);
                _output.Advance(size);
                pending += size;
                if (pending >= Batch)
                {
                    await _output.FlushAsync().ConfigureAwait(false);
                    pending = 0;
                }
            }

            await _output.FlushAsync().ConfigureAwait(false);
            pending = 0;
        }
    }
}
