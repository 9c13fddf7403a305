using System;
using System.Globalization;
using Transport.Loads.Events;
using Transport.Loads.Rivals;

namespace Transport.Loads.Workers;

/// <summary>The receiving end in a process of its own: for a main node that is to run on Mono. Orders: <c>address</c>, <c>expect N</c>,
/// <c>wait</c>.</summary>
internal sealed class ReceiveJob : IJob
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(120);

    private readonly LoadSink _sink;
    private readonly TransportReceiver _receiver;

    public ReceiveJob(LoadSink sink, TransportReceiver receiver)
    {
        _sink = sink;
        _receiver = receiver;
    }

    /// <summary>Makes the job.</summary>
    /// <param name="what">The word for events that are decoded, or one of <see cref="BodySet.Make"/> for bytes.</param>
    public static ReceiveJob Make(string what)
    {
        if (what == "decoded")
        {
            var events = new EventSink(new EventCatalog());
            return new ReceiveJob(events, new TransportReceiver(events));
        }

        var bodies = new BodySink(BodySet.Make(what));
        return new ReceiveJob(
            bodies, new TransportReceiver(_ => new PacketRouter().OnRaw(BodySet.Type, p => bodies.Take(p.Body)), bodies.Fail));
    }

    public string Run(string[] order)
    {
        switch (order[0])
        {
            case "address":
                return $"{_receiver.Address} {_receiver.Secret}";
            case "expect":
                _sink.Expect(int.Parse(order[1], CultureInfo.InvariantCulture));
                return string.Empty;
            default:
                _sink.WaitForAll(s_limit);
                return string.Empty;
        }
    }

    public void Dispose()
    {
        _receiver.Dispose();
        _sink.Dispose();
    }
}
