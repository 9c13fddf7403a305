using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Conformance.Links;

/// <summary>Numbered packets of several producers, each in a lane of its own choice, and the book of what came of them.</summary>
internal sealed class Traffic(int seed, int producers, int perProducer, int largest)
{
    private readonly object _gate = new();
    private readonly Dictionary<int, long> _next = [];

    /// <summary>Gets what was wrong with what came.</summary>
    public List<string> Wrong { get; } = [];

    /// <summary>Gets how many packets came.</summary>
    public long Received { get; private set; }

    /// <summary>Gets how many packets were answered Queued.</summary>
    public long Queued { get; private set; }

    public PacketRouter Router() => new PacketRouter().On(TestPackets.Numbered, Take);

    /// <summary>Sends everything, one thread a producer; stops if the link is closed.</summary>
    public Task SendAsync(Link link) =>
        Task.WhenAll(Enumerable.Range(0, producers).Select(p => WireReading.OnThread(() => Produce(link, p))));

    private static byte[] Payload(int seed, int sender, long number, int largest)
    {
        // Most packets are small, some are several frames long.
        var random = new Random(seed + (sender * 100_003) + (int)number);
        int most = random.Next(20) switch { 0 => largest, < 4 => Math.Min(largest, 20_000), _ => Math.Min(largest, 1_500) };
        return WireReading.Pattern(random.Next(1, most + 1), sender + (int)number);
    }

    private void Produce(Link link, int sender)
    {
        for (int i = 0; i < perProducer; i++)
        {
            var packet = new Numbered(sender, i, Payload(seed, sender, i, largest));
            SendResult result = link.Send(TestPackets.Numbered, packet, WithinExtensions.Bound, (Lane)((sender % 3) + 1));
            if (result != SendResult.Queued)
            {
                return;
            }

            lock (_gate)
            {
                Queued++;
            }
        }
    }

    private void Take(Numbered packet)
    {
        Received++;
        long expected = _next.TryGetValue(packet.Sender, out long next) ? next : 0;
        if (packet.Number != expected)
        {
            Wrong.Add($"sender {packet.Sender}: expected {expected}, got {packet.Number}");
        }
        else if (!packet.Payload.AsSpan().SequenceEqual(Payload(seed, packet.Sender, packet.Number, largest)))
        {
            Wrong.Add($"sender {packet.Sender}, packet {packet.Number}: other bytes");
        }

        _next[packet.Sender] = packet.Number + 1;
    }
}
