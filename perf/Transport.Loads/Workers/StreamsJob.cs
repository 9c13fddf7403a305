using System.Globalization;
using Transport.Loads.Events;
using Transport.Loads.Rivals;

namespace Transport.Loads.Workers;

/// <summary>Sends packets from streams, one after the other. Order: how many.</summary>
internal sealed class StreamsJob(string address, long length) : IJob
{
    /// <summary>The most bytes of a packet at both ends.</summary>
    public const int MaxPacketBytes = 256 << 20;

    private readonly Link _link = WorkerLink.Connect(address, new LinkOptions { MaxPacketBytes = MaxPacketBytes });

    public string Run(string[] order)
    {
        for (int i = int.Parse(order[0], CultureInfo.InvariantCulture); i > 0; i--)
        {
            using var body = new CountingStream(length);
            if (_link.SendStreamAsync(BodySet.Type, body, length).AsTask().GetAwaiter().GetResult() != SendResult.Queued)
            {
                throw new LoadException("The link took no stream, or has ended.");
            }
        }

        return string.Empty;
    }

    public void Dispose() => _link.CloseAsync(timeout: System.TimeSpan.FromSeconds(5)).GetAwaiter().GetResult();
}
