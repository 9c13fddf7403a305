using System;
using System.Collections.Generic;
using System.Linq;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;

namespace Transport.Loads.Scenarios;

/// <summary>64 B there and back over an idle link, by <c>TrySendRaw</c> at both ends, beside a bare socket.</summary>
internal sealed class PingScenario : IScenario
{
    public string Name => "ping";

    public string Summary => "64 B there and back, beside a bare socket";

    public IEnumerable<Row> Run(RunOptions options)
    {
        int trips = options.Quick ? 500 : 2_000;
        var rounds = new List<Dictionary<string, Distribution>>();
        using TransportReceiver echo = Echo(options);
        using var rawEcho = RawEcho.Listen();
        using var worker = new LoadWorker(echo.Secret, "ping", Column.Transport, echo.Address);
        using var raw = new LoadWorker(string.Empty, "ping", Column.Raw, rawEcho.Address);
        var workers = new Dictionary<string, LoadWorker>(StringComparer.Ordinal) { [Column.Transport] = worker, [Column.Raw] = raw };
        for (int i = options.Quick ? -2 : -10; i < options.Rounds; i++)
        {
            var round = Turns.Rotated(workers.Keys, Math.Max(0, i))
                .ToDictionary(w => w, w => Ask(workers[w], trips), StringComparer.Ordinal);
            if (i >= 0)
            {
                rounds.Add(round);
            }
        }

        return Rows(options, rounds);
    }

    private IEnumerable<Row> Rows(RunOptions options, List<Dictionary<string, Distribution>> rounds)
    {
        Row Make(string metric, Func<Distribution, double> value, Target? target) => Row.Make(
            options,
            Name,
            $"round trip {metric}",
            "us",
            rounds.ConvertAll<IReadOnlyDictionary<string, double>>(r => new Dictionary<string, double>(StringComparer.Ordinal)
            {
                [Column.Transport] = value(r[Column.Transport]), [Column.Raw] = value(r[Column.Raw]),
            }),
            Column.Raw,
            target);
        yield return Make("p50", d => d.P50 / 1000, Target.AtMost(4));
        yield return Make("p99", d => d.P99 / 1000, null);
        yield return Make("p99.9", d => d.P999 / 1000, null);
    }

    private static TransportReceiver Echo(RunOptions options) =>
        new(link => new PacketRouter().OnRaw(PingBody.Type, p => PingBody.Send(link, p.Body)), fault => options.Say("ping: " + fault));

    private static Distribution Ask(LoadWorker worker, int trips)
    {
        worker.Go(trips);
        return Distribution.Parse(worker.Done());
    }
}
