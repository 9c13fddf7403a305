using System;
using System.IO;
using System.Net.Sockets;
using System.Text;

namespace Transport.Loads.TaskHosts;

/// <summary>One end of a bare socket: packets as MSBuild writes them, serialized, written and read by the thread that wants them, with
/// blocking calls. One thread.</summary>
internal sealed class BareEnd : IDisposable
{
    private readonly Socket _socket;
    private readonly MemoryStream _stream = new();
    private readonly BinaryWriter _writer;
    private byte[] _body = new byte[64 << 10];

    public BareEnd(Socket socket)
    {
        _socket = socket;
        _writer = new BinaryWriter(_stream, Encoding.UTF8);
    }

    /// <summary>Gets how many bytes went over it in both directions.</summary>
    public long Bytes { get; private set; }

    public void Send(object packet)
    {
        HostBinary.Frame(_stream, _writer, packet);
        int length = (int)_stream.Length;
        for (int at = 0; at < length;)
        {
            at += _socket.Send(_stream.GetBuffer(), at, length - at, SocketFlags.None);
        }

        Bytes += length;
    }

    /// <exception cref="IOException">The other end has gone.</exception>
    public object Receive()
    {
        Fill(HostBinary.HeaderSize);
        byte type = _body[0];
        int length = BitConverter.ToInt32(_body, 1);
        _body = _body.Length < length ? new byte[length] : _body;
        Fill(length);
        Bytes += HostBinary.HeaderSize + length;
        return HostBinary.Read(type, _body, length);
    }

    public void Dispose()
    {
        _socket.Dispose();
        _writer.Dispose();
        _stream.Dispose();
    }

    private void Fill(int count)
    {
        for (int at = 0; at < count;)
        {
            int read = _socket.Receive(_body, at, count - at, SocketFlags.None);
            at += read > 0 ? read : throw new IOException("The other end has gone.");
        }
    }
}
