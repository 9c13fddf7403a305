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
        byte[] body = PingBody.Make();
        byte[] answer = new byte[body.Length];
        for (int i = 0; i < trips.Length; i++)
        {
            PingBody.Number(body, i);
            long sent = Stopwatch.GetTimestamp();
            _socket.Send(body);
            for (int came = 0; came < answer.Length;)
            {
                int count = _socket.Receive(answer, came, answer.Length - came, SocketFlags.None);
                came += count > 0 ? count : throw new LoadException("The raw echo has gone.");
            }

            trips[i] = Stopwatch.GetTimestamp() - sent;
            PingBody.Check(answer, body);
        }

        return Distribution.Of(trips).ToString();
    }

    public void Dispose() => _socket.Dispose();
}
