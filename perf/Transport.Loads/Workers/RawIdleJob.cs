using System;
using System.Globalization;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;

namespace Transport.Loads.Workers;

/// <summary>The least that a .NET process can do to hold a connection: accept, read and answer once, and await the next read. Orders:
/// <c>expect</c>, <c>measure MS SETTLE</c>, as <see cref="IdleJob"/>.</summary>
internal sealed class RawIdleJob : IJob
{
    private readonly Socket _listener;
    private readonly string _path;
    private readonly ManualResetEventSlim _never = new();

    public RawIdleJob() => _listener = LocalSocket.Listen(out _path);

    public string Run(string[] order)
    {
        if (order[0] == "expect")
        {
            _ = Task.Run(ServeAsync);
            return _path;
        }

        _never.Wait(int.Parse(order[2], CultureInfo.InvariantCulture));
        return ProcessState.PrivateBytesHeld().ToString(CultureInfo.InvariantCulture);
    }

    public void Dispose()
    {
        _listener.Dispose();
        _never.Dispose();
    }

    private async Task ServeAsync()
    {
        try
        {
            using Socket socket = await _listener.AcceptAsync().ConfigureAwait(false);
            byte[] buffer = new byte[4096];
            int count = 1;
            while (count > 0)
            {
                count = await socket.ReceiveAsync(buffer.AsMemory(), SocketFlags.None).ConfigureAwait(false);
                socket.Send(buffer, count, SocketFlags.None);
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // The load is over.
        }
    }
}
