using System;
using System.Collections.Generic;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>The packet sizes of a real build from 8 threads at once, as bytes.</summary>
internal sealed class MixedScenario : IScenario
{
    public string Name => "mixed";

    public string Summary => "the packet sizes of a real build from 8 threads at once";

    public IEnumerable<Row> Run(RunOptions options)
    {
        int each = options.Quick ? 5_000 : 40_000;
        using var sink = new MixedSink();
        using var receiver = new TransportReceiver(_ => new PacketRouter().OnRaw(BodySet.Type, p => sink.Take(p.Body)), sink.Fail);
        using var worker = new LoadWorker(receiver.Secret, "mixed", receiver.Address);
        var samples = new List<Dictionary<string, Sample>>();
        var speeds = new List<IReadOnlyDictionary<string, double>>();
        Sample Round() => Course.Round(sink, worker, each * MixedJob.Producers, each, options.Limit);
        Warmth.Reach(options, Round);
        for (int i = 0; i < options.Rounds; i++)
        {
            long bytes = sink.Bytes;
            Sample sample = Round();
            samples.Add(new Dictionary<string, Sample>(StringComparer.Ordinal) { [Column.Transport] = sample });
            speeds.Add(new Dictionary<string, double>(StringComparer.Ordinal)
            {
                [Column.Transport] = (sink.Bytes - bytes) / sample.Seconds / 1e9,
            });
        }

        yield return Row.Make(options, Name, "throughput", "packets/s", Row.Pick(samples, s => s.PacketsPerSecond));
        yield return Row.Make(options, Name, "speed", "GB/s", speeds);
        yield return Row.Make(options, Name, "CPU of both sides", "us/packet", Row.Pick(samples, s => s.Cpu));
        yield return Row.Make(options, Name, "allocated by the sender", "B/packet", Row.Pick(samples, s => s.AllocatedBySender));
        yield return Row.Make(options, Name, "allocated by the receiver", "B/packet", Row.Pick(samples, s => s.AllocatedByReceiver));
    }
}
