using System;
using System.Buffers;
using System.Collections.Concurrent;
using System.IO;
using System.IO.Pipes;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;
using Microsoft.IO;
using Transport.Loads.Events;

namespace Transport.Rivals.Peers;

/// <summary>A named pipe and MessagePack-CSharp, each packet's write awaited: what most people write first.</summary>
internal sealed class AwaitedPipePeer : IPeer
{
    public string Name => "pipe, awaited";

    public string Shape => "named pipe, MessagePack-CSharp, one awaited write a packet";

    public IPeerReceiver Listen(PeerSink sink) => new PipeReceiver(sink, PeerCodec.Read);

    public async Task<IPeerSender> ConnectAsync(string address) => new Sender(await Pipes.ConnectAsync(address).ConfigureAwait(false));

    private sealed class Sender(NamedPipeClientStream pipe) : IPeerSender
    {
        private readonly ArrayBufferWriter<byte> _buffer = new(4096);

        public async ValueTask SendAsync(LoadEvent e)
        {
            _buffer.ResetWrittenCount();
            _buffer.Advance(Framed.HeaderSize);
            PeerCodec.Write(_buffer, e);
            Memory<byte> frame = System.Runtime.InteropServices.MemoryMarshal.AsMemory(_buffer.WrittenMemory);
            Framed.WriteHeader(frame.Span, Framed.Event, frame.Length - Framed.HeaderSize);
            await pipe.WriteAsync(frame).ConfigureAwait(false);
        }

        public async ValueTask SendBodyAsync(byte[] body)
        {
            byte[] header = new byte[Framed.HeaderSize];
            Framed.WriteHeader(header, Framed.Body, body.Length);
            await pipe.WriteAsync(header.AsMemory()).ConfigureAwait(false);
            await pipe.WriteAsync(body.AsMemory()).ConfigureAwait(false);
        }

        public Task PingAsync() => Framed.PingAsync(pipe);

        public void Dispose() => pipe.Dispose();
    }
}

/// <summary>The shape this library began from: each packet in a RecyclableMemoryStream, a channel, one awaited write a packet.</summary>
internal sealed class ChannelPipePeer : IPeer
{
    public string Name => "pipe, channel";

    public string Shape => "named pipe, MessagePack-CSharp into a RecyclableMemoryStream a packet, channel, one awaited write a packet";

    public IPeerReceiver Listen(PeerSink sink) => new PipeReceiver(sink, PeerCodec.Read);

    public async Task<IPeerSender> ConnectAsync(string address) => new Sender(await Pipes.ConnectAsync(address).ConfigureAwait(false));

    private sealed class Sender : IPeerSender
    {
        private readonly RecyclableMemoryStreamManager _manager = new();
        private readonly Channel<RecyclableMemoryStream> _packets =
            Channel.CreateUnbounded<RecyclableMemoryStream>(new UnboundedChannelOptions { SingleReader = true });

        private readonly NamedPipeClientStream _pipe;
        private readonly Task _writing;

        public Sender(NamedPipeClientStream pipe)
        {
            _pipe = pipe;
            _writing = Task.Run(WriteAsync);
        }

        public ValueTask SendAsync(LoadEvent e)
        {
            RecyclableMemoryStream stream = _manager.GetStream();
            stream.Advance(Framed.HeaderSize);
            PeerCodec.Write(stream, e);
            return Queue(stream, Framed.Event);
        }

        public ValueTask SendBodyAsync(byte[] body)
        {
            RecyclableMemoryStream stream = _manager.GetStream();
            stream.Advance(Framed.HeaderSize);
            stream.Write(body, 0, body.Length);
            return Queue(stream, Framed.Body);
        }

        public Task PingAsync() => Framed.PingAsync(_pipe);

        public void Dispose()
        {
            _packets.Writer.TryComplete();
            _writing.GetAwaiter().GetResult();
            _pipe.Dispose();
        }

        private ValueTask Queue(RecyclableMemoryStream stream, byte kind)
        {
            Span<byte> header = stackalloc byte[Framed.HeaderSize];
            Framed.WriteHeader(header, kind, (int)stream.Length - Framed.HeaderSize);
            stream.Position = 0;
            stream.Write(header);
            stream.Position = 0;
            _packets.Writer.TryWrite(stream);
            return default;
        }

        private async Task WriteAsync()
        {
            await foreach (RecyclableMemoryStream stream in _packets.Reader.ReadAllAsync().ConfigureAwait(false))
            {
                await stream.CopyToAsync(_pipe).ConfigureAwait(false);
                await stream.DisposeAsync().ConfigureAwait(false);
            }
        }
    }
}

/// <summary>The shape of MSBuild's node protocol: a concurrent queue, an event, a thread that serializes with BinaryWriter and makes one
/// synchronous write a packet.</summary>
internal sealed class NodePeer : IPeer
{
    public string Name => "MSBuild's shape";

    public string Shape => "named pipe, queue without a limit and a thread: BinaryWriter, one synchronous write a packet";

    public IPeerReceiver Listen(PeerSink sink) => new PipeReceiver(sink, PeerCodec.ReadBinary);

    public async Task<IPeerSender> ConnectAsync(string address) => new Sender(await Pipes.ConnectAsync(address).ConfigureAwait(false));

    private sealed class Sender : IPeerSender
    {
        private readonly ConcurrentQueue<object> _packets = new();
        private readonly AutoResetEvent _added = new(false);
        private readonly NamedPipeClientStream _pipe;
        private readonly Thread _writing;
        private volatile bool _isOver; // set by Dispose, read by the writing thread

        public Sender(NamedPipeClientStream pipe)
        {
            _pipe = pipe;
            _writing = new Thread(Write) { IsBackground = true };
            _writing.Start();
        }

        public ValueTask SendAsync(LoadEvent e) => Queue(e);

        public ValueTask SendBodyAsync(byte[] body) => Queue(body.Clone());

        public Task PingAsync() => Framed.PingAsync(_pipe);

        public void Dispose()
        {
            _isOver = true;
            _added.Set();
            _writing.Join();
            _added.Dispose();
            _pipe.Dispose();
        }

        private ValueTask Queue(object packet)
        {
            _packets.Enqueue(packet);
            _added.Set();
            return default;
        }

        private void Write()
        {
            using var buffer = new MemoryStream();
            using var writer = new BinaryWriter(buffer);
            while (!_isOver || !_packets.IsEmpty)
            {
                _added.WaitOne();
                while (_packets.TryDequeue(out object? packet))
                {
                    buffer.SetLength(0);
                    buffer.Position = Framed.HeaderSize;
                    if (packet is LoadEvent e)
                    {
                        PeerCodec.Write(writer, e);
                    }
                    else
                    {
                        writer.Write((byte[])packet);
                    }

                    byte[] bytes = buffer.GetBuffer();
                    Framed.WriteHeader(bytes, packet is LoadEvent ? Framed.Event : Framed.Body, (int)buffer.Length - Framed.HeaderSize);
                    _pipe.Write(bytes, 0, (int)buffer.Length);
                }
            }
        }
    }
}

/// <summary>Connecting to a named pipe.</summary>
internal static class Pipes
{
    public static async Task<NamedPipeClientStream> ConnectAsync(string address)
    {
        var pipe = new NamedPipeClientStream(".", address, PipeDirection.InOut, PipeOptions.Asynchronous);
        await pipe.ConnectAsync(10_000).ConfigureAwait(false);
        return pipe;
    }
}
