using System;
using System.Diagnostics;
using System.Globalization;
using System.Threading;
using Transport.Links;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;
using Transport.Receiving;
using Transport.Sending;

namespace Transport.Loads.Workers;

/// <summary>Sends 64 B, waits for them to come back, sends the next from the handler: one packet under way at a time. Order: how many trips.</summary>
internal sealed class PingJob : IJob
{
    /// <summary>The packet type of pings.</summary>
    public const int Type = 1026;

    private readonly Link _link;
    private readonly byte[] _body = MakeBody();
    private readonly SemaphoreSlim _done = new(0);
    private long[] _trips = [];
    private long _sent;
    private int _trip;

    public PingJob(string address) => _link = WorkerLink.Connect(address, router: new PacketRouter().OnRaw(Type, _ => CameBack()));

    /// <summary>Makes a packet of 64 bytes: one MessagePack byte string.</summary>
    public static byte[] MakeBody()
    {
        var body = new byte[64];
        (body[0], body[1]) = (0xc4, 62);
        return body;
    }

    public string Run(string[] order)
    {
        _trips = new long[int.Parse(order[0], CultureInfo.InvariantCulture)];
        _trip = 0;
        Send();
        return _done.Wait(TimeSpan.FromSeconds(60)) ? Distribution.Of(_trips).ToString() : throw new LoadException($"Only {_trip} of {_trips.Length} pings came back.");
    }

    public void Dispose()
    {
        _link.CloseAsync(deadline: TimeSpan.FromSeconds(5)).GetAwaiter().GetResult();
        _done.Dispose();
    }

    private void CameBack()
    {
        _trips[_trip++] = Stopwatch.GetTimestamp() - _sent;
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
        _sent = Stopwatch.GetTimestamp();
        if (_link.SendRaw(Type, _body) != SendResult.Queued)
        {
            throw new LoadException("The link did not take a ping.");
        }
    }
}
