using System;
using System.Buffers.Binary;
using System.IO;
using System.IO.Pipes;
using System.Threading.Tasks;
using Transport.Loads.Events;
using Transport.Loads.Scratch;

namespace Transport.Rivals.Peers;

/// <summary>What those do by hand who write packets to a stream: a kind of one byte, a length of four, the bytes; and a loop of awaited
/// reads.</summary>
internal static class Framed
{
    public const int HeaderSize = 5;
    public const byte Event = 0;
    public const byte Body = 1;
    public const byte Ping = 2;

    public static void WriteHeader(Span<byte> header, byte kind, int length)
    {
        header[0] = kind;
        BinaryPrimitives.WriteInt32LittleEndian(header[1..], length);
    }

    /// <summary>Takes packets to the end of a stream; pings are answered.</summary>
    public static async Task ReadAsync(Stream stream, PeerSink sink, Func<ReadOnlyMemory<byte>, LoadEvent> decode)
    {
        try
        {
            byte[] buffer = new byte[64 << 10];
            int start = 0;
            int end = 0;
            while (true)
            {
                int length = end - start < HeaderSize ? -1 : BinaryPrimitives.ReadInt32LittleEndian(buffer.AsSpan(start + 1));
                if (length >= 0 && end - start >= HeaderSize + length)
                {
                    await TakeAsync(stream, sink, decode, buffer[start], buffer.AsMemory(start + HeaderSize, length)).ConfigureAwait(false);
                    start += HeaderSize + length;
                    continue;
                }

                Array.Copy(buffer, start, buffer, 0, end - start);
                (start, end) = (0, end - start);
                if (HeaderSize + length > buffer.Length)
                {
                    Array.Resize(ref buffer, Math.Max(buffer.Length * 2, HeaderSize + length));
                }

                int read = await stream.ReadAsync(buffer.AsMemory(end)).ConfigureAwait(false);
                if (read == 0)
                {
                    break;
                }

                end += read;
            }
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException)
        {
            // The connection broke; that it is gone is said below.
        }

        sink.SenderGone();
    }

    /// <summary>Writes a ping and awaits its answer.</summary>
    public static async Task PingAsync(Stream stream)
    {
        byte[] frame = new byte[HeaderSize + 64];
        WriteHeader(frame, Ping, 64);
        await stream.WriteAsync(frame.AsMemory()).ConfigureAwait(false);
        await stream.ReadExactlyAsync(frame.AsMemory()).ConfigureAwait(false);
    }

    private static ValueTask TakeAsync(
        Stream stream, PeerSink sink, Func<ReadOnlyMemory<byte>, LoadEvent> decode, byte kind, ReadOnlyMemory<byte> body)
    {
        switch (kind)
        {
            case Event:
                sink.Take(decode(body));
                return default;
            case Body:
                sink.TakeBody(body.Span);
                return default;
            default:
                byte[] answer = new byte[HeaderSize + body.Length];
                WriteHeader(answer, Ping, body.Length);
                return stream.WriteAsync(answer.AsMemory());
        }
    }
}

/// <summary>A named pipe that takes senders one after the other, each read by its own loop.</summary>
internal sealed class PipeReceiver : IPeerReceiver
{
    private readonly string _name = ScratchPath.New("pipe");
    private readonly PeerSink _sink;
    private readonly Func<ReadOnlyMemory<byte>, LoadEvent> _decode;
    private volatile bool _isDisposed; // set by Dispose, read by the loop that accepts
    private NamedPipeServerStream _next;

    public PipeReceiver(PeerSink sink, Func<ReadOnlyMemory<byte>, LoadEvent> decode)
    {
        _sink = sink;
        _decode = decode;
        _next = Listen();
        _ = Task.Run(AcceptAsync);
    }

    public string AddressFor(int sender) => _name + " -";

    public void Dispose()
    {
        _isDisposed = true;
        _next.Dispose();
    }

    private NamedPipeServerStream Listen() =>
        new(_name, PipeDirection.InOut, PeerSink.Senders, PipeTransmissionMode.Byte, PipeOptions.Asynchronous);

    private async Task AcceptAsync()
    {
        while (!_isDisposed)
        {
            NamedPipeServerStream pipe = _next;
            try
            {
                await pipe.WaitForConnectionAsync().ConfigureAwait(false);
            }
            catch (Exception e) when (e is IOException or ObjectDisposedException or OperationCanceledException)
            {
                return;
            }

            _ = Framed.ReadAsync(pipe, _sink, _decode);
            _next = Listen();
        }
    }
}
