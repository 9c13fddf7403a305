using System.Net.Sockets;
using Transport.Loads.Events;

namespace Transport.Loads.Rivals;

/// <summary>The floor in C#: encodes on the caller's thread into one batch of 64 KB, writes it when it is full. No queue: the caller waits
/// for the kernel.</summary>
internal sealed class RawSender(string address) : IEventSender
{
    private const int Batch = 64 << 10;

    private readonly Socket _socket = LocalSocket.Connect(address);
    private readonly byte[] _batch = new byte[Batch];
    private int _used;

    public void Send(LoadEvent e)
    {
        if (Batch - _used < HandCodec.MaxSize)
        {
            Flush();
        }

        _used += HandCodec.Write(System.MemoryExtensions.AsSpan(_batch, _used), e);
    }

    public void Flush()
    {
        if (_used > 0)
        {
            _socket.Send(_batch, 0, _used, SocketFlags.None);
            _used = 0;
        }
    }

    public void Dispose() => _socket.Dispose();
}
