using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;

namespace Transport.Loads.Workers;

/// <summary>The same over a bare .NET socket, synchronously: what the machine's wake-ups cost. Order: how many trips.</summary>
internal sealed class RawPingJob(string address) : IJob
{
    private readonly Socket _socket = LocalSocket.Connect(address);

    public string Run(string[] order)
    {
        var trips = new long[int.Parse(order[0], CultureInfo.InvariantCulture)];
        byte[] body = PingJob.MakeBody();
        for (int i = 0; i < trips.Length; i++)
        {
            long sent = Stopwatch.GetTimestamp();
            _socket.Send(body);
            for (int came = 0; came < body.Length;)
            {
                came += _socket.Receive(body, came, body.Length - came, SocketFlags.None);
            }

            trips[i] = Stopwatch.GetTimestamp() - sent;
        }

        return Distribution.Of(trips).ToString();
    }

    public void Dispose() => _socket.Dispose();
}
