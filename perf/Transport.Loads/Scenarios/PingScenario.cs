using System;
using System.Collections.Generic;
using System.Linq;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Workers;
using Transport.Receiving;

namespace Transport.Loads.Scenarios;

/// <summary>64 B there and back over an idle link: four hand-overs between threads for this library, two for a bare socket.</summary>
internal sealed class PingScenario : IScenario
{
    public string Name => "ping";

    public string Summary => "64 B there and back";

    public IEnumerable<Row> Run(RunOptions options)
    {
        int trips = options.Quick ? 500 : 2_000;
        var rounds = new List<Dictionary<string, Distribution>>();
        using var echo = new TransportReceiver(link => new PacketRouter().OnRaw(PingBody.Type, p => link.SendRaw(PingBody.Type, p.Body.Span)), fault => options.Say("ping: " + fault));
        using var rawEcho = new RawEcho();
        using var worker = new LoadWorker(echo.Secret, "ping", Column.Transport, echo.Address);
        using var raw = new LoadWorker(string.Empty, "ping", Column.Raw, rawEcho.Address);
        var workers = new Dictionary<string, LoadWorker>(StringComparer.Ordinal) { [Column.Transport] = worker, [Column.Raw] = raw };
        for (int i = -2; i < options.Rounds; i++)
        {
            var round = Turns.Rotated(workers.Keys, Math.Max(0, i)).ToDictionary(w => w, w => Ask(workers[w], trips), StringComparer.Ordinal);
            if (i >= 0)
            {
                rounds.Add(round);
            }
        }

        yield return Row.Make(options, Name, "round trip p50, by the ordinary road", "us", Row.Pick(rounds, d => d.P50 / 1000), Column.Raw, Target.AtMost(2.2));
        yield return Row.Make(options, Name, "round trip p99", "us", Row.Pick(rounds, d => d.P99 / 1000), Column.Raw);
        yield return Row.Make(options, Name, "round trip p99.9", "us", Row.Pick(rounds, d => d.P999 / 1000), Column.Raw);
    }

    private static Distribution Ask(LoadWorker worker, int trips)
    {
        worker.Go(trips);
        return Distribution.Parse(worker.Done());
    }
}
