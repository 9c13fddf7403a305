using System;
using Transport.Loads.Rivals;

namespace Transport.Loads.Workers;

/// <summary>Sends every ping back, in a process of its own. Order: <c>address</c>.</summary>
internal sealed class EchoJob : IJob
{
    private readonly TransportReceiver _receiver = new(
        link => new PacketRouter().OnRaw(PingBody.Type, p => PingBody.Send(link, p.Body)),
        Console.Error.WriteLine);

    public string Run(string[] order) => $"{_receiver.Address} {_receiver.Secret}";

    public void Dispose() => _receiver.Dispose();
}
