using System;
using System.Diagnostics;
using System.Globalization;
using System.Threading;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;

namespace Transport.Loads.Workers;

/// <summary>Sends 64 B, waits for them to come back, sends the next from the handler: one packet under way at a time. Order: how many
/// trips.</summary>
internal sealed class PingJob : IJob
{
    private readonly Link _link;
    private readonly byte[] _body = PingBody.Make();
    private readonly SemaphoreSlim _done = new(0);
    private long[] _trips = [];
    private long _sent;
    private int _trip;

    /// <summary>Initializes a new instance of the <see cref="PingJob"/> class: connects.</summary>
    /// <param name="address">The echo's endpoint.</param>
    public PingJob(string address) =>
        _link = WorkerLink.Connect(address, router: new PacketRouter().OnRaw(PingBody.Type, p => CameBack(p.Body)));

    public string Run(string[] order)
    {
        _trips = new long[int.Parse(order[0], CultureInfo.InvariantCulture)];
        _trip = 0;
        Send();
        return _done.Wait(TimeSpan.FromSeconds(60)) ? Distribution.Of(_trips).ToString()
            : throw new LoadException($"Only {_trip} of {_trips.Length} pings came back.");
    }

    public void Dispose()
    {
        _link.CloseAsync(timeout: TimeSpan.FromSeconds(5)).GetAwaiter().GetResult();
        _done.Dispose();
    }

    private void CameBack(ReadOnlySpan<byte> came)
    {
        long now = Stopwatch.GetTimestamp();
        PingBody.Check(came, _body);
        _trips[_trip++] = now - _sent;
        if (_trip < _trips.Length)
        {
            Send();
        }
        else
        {
            _done.Release();
        }
    }

    private void Send()
    {
        PingBody.Number(_body, _trip);
        _sent = Stopwatch.GetTimestamp();
        PingBody.Send(_link, _body);
    }
}
