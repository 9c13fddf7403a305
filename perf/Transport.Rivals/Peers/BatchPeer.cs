using System;
using System.Buffers;
using System.Buffers.Binary;
using System.IO;
using System.IO.Pipelines;
using System.Threading.Tasks;
using MessagePack;
using Transport.Loads.Events;

namespace Transport.Rivals.Peers;

/// <summary>Batches by hand over System.IO.Pipelines: what one writes who has measured the awaited write a packet. Nothing is acknowledged,
/// counted or kept, and no more than one thread may send.</summary>
internal sealed class BatchPeer : IPeer
{
    private const int Batch = 64 << 10;

    public string Name => "Pipelines, batched";

    public string Shape => "Unix socket, PipeWriter and PipeReader, MessagePack-CSharp, FlushAsync each 64 KiB";

    public IPeerReceiver Listen(PeerSink sink) => new SocketReceiver(stream => ServeAsync(stream, sink));

    public Task<IPeerSender> ConnectAsync(string address) => Task.FromResult<IPeerSender>(new Sender(SocketReceiver.Connect(address)));

    private static async Task ServeAsync(Stream stream, PeerSink sink)
    {
        PipeReader reader = PipeReader.Create(stream, new StreamPipeReaderOptions(bufferSize: Batch));
        try
        {
            while (true)
            {
                ReadResult result = await reader.ReadAsync().ConfigureAwait(false);
                ReadOnlySequence<byte> buffer = result.Buffer;
                while (TryCut(ref buffer, out byte kind, out ReadOnlySequence<byte> body))
                {
                    await TakeAsync(stream, sink, kind, body).ConfigureAwait(false);
                }

                reader.AdvanceTo(buffer.Start, buffer.End);
                if (result.IsCompleted)
                {
                    break;
                }
            }
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // The connection broke; that it is gone is said below.
        }

        sink.SenderGone();
    }

    private static bool TryCut(ref ReadOnlySequence<byte> buffer, out byte kind, out ReadOnlySequence<byte> body)
    {
        (kind, body) = (0, default);
        if (buffer.Length < Framed.HeaderSize)
        {
            return false;
        }

        Span<byte> header = stackalloc byte[Framed.HeaderSize];
        buffer.Slice(0, Framed.HeaderSize).CopyTo(header);
        int length = BinaryPrimitives.ReadInt32LittleEndian(header[1..]);
        if (buffer.Length < Framed.HeaderSize + length)
        {
            return false;
        }

        kind = header[0];
        body = buffer.Slice(Framed.HeaderSize, length);
        buffer = buffer.Slice(body.End);
        return true;
    }

    private static ValueTask TakeAsync(Stream stream, PeerSink sink, byte kind, ReadOnlySequence<byte> body)
    {
        switch (kind)
        {
            case Framed.Event:
                sink.Take(MessagePackSerializer.Deserialize<LoadEvent>(body, PeerCodec.Options));
                return default;
            case Framed.Body:
                sink.TakeBody(body.IsSingleSegment ? body.FirstSpan : body.ToArray());
                return default;
            default:
                byte[] answer = new byte[Framed.HeaderSize + (int)body.Length];
                Framed.WriteHeader(answer, Framed.Ping, (int)body.Length);
                return stream.WriteAsync(answer.AsMemory());
        }
    }

    private sealed class Sender : IPeerSender
    {
        private readonly Stream _stream;
        private readonly PipeWriter _writer;

        public Sender(Stream stream)
        {
            _stream = stream;
            _writer = PipeWriter.Create(stream, new StreamPipeWriterOptions(minimumBufferSize: Batch));
        }

        public ValueTask SendAsync(LoadEvent e)
        {
            Memory<byte> header = _writer.GetMemory(Framed.HeaderSize);
            _writer.Advance(Framed.HeaderSize);
            long before = _writer.UnflushedBytes;
            PeerCodec.Write(_writer, e);
            Framed.WriteHeader(header.Span, Framed.Event, (int)(_writer.UnflushedBytes - before));
            return _writer.UnflushedBytes < Batch ? default : FlushAsync();
        }

        public async ValueTask SendBodyAsync(byte[] body)
        {
            Framed.WriteHeader(_writer.GetSpan(Framed.HeaderSize), Framed.Body, body.Length);
            _writer.Advance(Framed.HeaderSize);
            await _writer.WriteAsync(body).ConfigureAwait(false);
        }

        public async ValueTask FlushAsync() => await _writer.FlushAsync().ConfigureAwait(false);

        public async Task PingAsync()
        {
            await FlushAsync().ConfigureAwait(false);
            await Framed.PingAsync(_stream).ConfigureAwait(false);
        }

        public void Dispose()
        {
            FlushAsync().AsTask().GetAwaiter().GetResult();
            _stream.Dispose();
        }
    }
}
