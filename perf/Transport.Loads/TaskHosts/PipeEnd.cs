using System;
using System.Collections.Concurrent;
using System.IO;
using System.IO.Pipes;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Loads.TaskHosts;

/// <summary>One end of a named pipe in the shape of MSBuild's node transport: packets are queued without a limit to a thread that
/// serializes one after the other into one stream and writes it synchronously, at most 1 MB at once; an awaited loop reads a header, then
/// the whole body, and makes the packet of it.</summary>
internal sealed class PipeEnd : IDisposable
{
    private const int MostWritten = 1 << 20;

    private readonly ConcurrentQueue<object> _packets = new();
    private readonly AutoResetEvent _queued = new(initialState: false);
    private readonly PipeStream _pipe;
    private readonly Action<PipeEnd, object> _take;
    private readonly Thread _thread;
    private volatile bool _isOver;
    private long _bytes;

    /// <param name="pipe">The pipe, connected.</param>
    /// <param name="take">Takes what comes, with this end.</param>
    public PipeEnd(PipeStream pipe, Action<PipeEnd, object> take)
    {
        _pipe = pipe;
        _take = take;
        _thread = new Thread(Write) { IsBackground = true };
        _thread.Start();
        _ = Task.Run(ReadAsync);
    }

    /// <summary>Gets how many bytes went over it in both directions.</summary>
    public long Bytes => Interlocked.Read(ref _bytes);

    public void Send(object packet)
    {
        _packets.Enqueue(packet);
        _queued.Set();
    }

    public void Dispose()
    {
        _isOver = true;
        _queued.Set();
        _thread.Join();
        _pipe.Dispose();
        _queued.Dispose();
    }

    /// <summary>Writes what a stream holds, at most 1 MB at once.</summary>
    public static void WriteAll(PipeStream pipe, MemoryStream stream)
    {
        for (int at = 0; at < stream.Length; at += MostWritten)
        {
            pipe.Write(stream.GetBuffer(), at, (int)Math.Min(MostWritten, stream.Length - at));
        }
    }

    private void Write()
    {
        using var body = new MemoryStream();
        using var writer = new BinaryWriter(body, Encoding.UTF8);
        while (!_isOver)
        {
            _queued.WaitOne();
            while (_packets.TryDequeue(out object? packet))
            {
                HostBinary.Frame(body, writer, packet);
                WriteAll(_pipe, body);
                Interlocked.Add(ref _bytes, body.Length);
            }
        }
    }

    private async Task ReadAsync()
    {
        byte[] header = new byte[HostBinary.HeaderSize];
        byte[] body = new byte[64 << 10];
        try
        {
            while (true)
            {
                await _pipe.ReadExactlyAsync(header).ConfigureAwait(false);
                int length = BitConverter.ToInt32(header, 1);
                body = body.Length < length ? new byte[length] : body;
                await _pipe.ReadExactlyAsync(body.AsMemory(0, length)).ConfigureAwait(false);
                Interlocked.Add(ref _bytes, HostBinary.HeaderSize + length);
                _take(this, HostBinary.Read(header[0], body, length));
            }
        }
        catch (Exception e) when (e is IOException or ObjectDisposedException or OperationCanceledException)
        {
            // The other end has gone, or this one: a response that does not come is noticed by who waits for it.
        }
    }
}
