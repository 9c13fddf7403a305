using System;
using System.Collections.Generic;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;

namespace Transport.Loads.Scenarios;

/// <summary>What one <c>Send</c> costs the thread that calls it. The column <c>raw</c> is a loop that only serializes, in the same rhythm;
/// for the maxima, one that only reads the clock.</summary>
/// <remarks>Targets stand where nobody has to be woken: back to back. In the other rhythms the send loop goes to sleep in between, and the
/// first send of a group pays for waking it.</remarks>
internal sealed class CallerScenario : IScenario
{
    public string Name => "caller";

    public string Summary => "one Send: p50, p99, p99.9, max; three rhythms; receiver fast, slow, stopped";

    public IEnumerable<Row> Run(RunOptions options)
    {
        var catalog = new EventCatalog();
        using var transport = new CallerCourse(options, catalog, Column.Transport);
        using var seed = new CallerCourse(options, catalog, Column.Seed);
        using var channel = new CallerCourse(options, catalog, Column.Channel);
        using var serialize = new CallerCourse(options, catalog, SerializeOnly.Name);
        using var clock = new CallerCourse(options, catalog, ClockOnly.Name);
        CallerCourse[] all = [transport, seed, channel, serialize, clock];
        for (int i = 0; i < 40; i++)
        {
            // a quick run too: five rounds can be over before the code is compiled for good
            Array.ForEach(all, c => c.Run(CallerRhythm.BackToBack, ReceiverPace.Fast));
        }

        var rows = new List<Row>();
        foreach (CallerRhythm rhythm in (CallerRhythm[])[CallerRhythm.BackToBack, CallerRhythm.SixtyFourAMillisecond,
            CallerRhythm.OneEveryTwentyMicros])
        {
            foreach (ReceiverPace pace in Enum.GetValues<ReceiverPace>())
            {
                var rounds = new List<Dictionary<string, Distribution>>();
                var clocks = new List<Distribution>();
                for (int i = 0; i < options.Rounds; i++)
                {
                    var round = new Dictionary<string, Distribution>(StringComparer.Ordinal)
                    {
                        [Column.Transport] = transport.Run(rhythm, pace),
                        [Column.Raw] = serialize.Run(rhythm, pace),
                    };
                    if (pace == ReceiverPace.Fast)
                    {
                        round[Column.Seed] = seed.Run(rhythm, pace);
                        round[Column.Channel] = channel.Run(rhythm, pace);
                    }

                    rounds.Add(round);
                    clocks.Add(clock.Run(rhythm, pace));
                }

                rows.AddRange(Rows(options, $"{rhythm.Name}, receiver {pace.ToString().ToLowerInvariant()}", rounds, clocks,
                    judged: rhythm == CallerRhythm.BackToBack));
            }
        }

        return rows;
    }

    private IEnumerable<Row> Rows(
        RunOptions options, string name, List<Dictionary<string, Distribution>> rounds, List<Distribution> clocks, bool judged)
    {
        Row Make(string metric, Func<Distribution, double> value, Target target) =>
            Row.Make(options, Name, $"{name}: {metric}", "ns", Row.Pick(rounds, value), Column.Raw, judged ? target : null);
        yield return Make("p50", d => d.P50, Target.MoreByAtMost(40, 500));
        yield return Make("p99", d => d.P99, Target.AtMost(3));
        yield return Make("p99.9", d => d.P999, Target.ValueAtMost(2_000, 100_000));
        var maxima = new List<Dictionary<string, Distribution>>();
        for (int i = 0; i < rounds.Count; i++)
        {
            maxima.Add(new Dictionary<string, Distribution>(rounds[i], StringComparer.Ordinal) { [Column.Raw] = clocks[i] });
        }

        yield return Row.Make(options, Name, $"{name}: max (raw: reads the clock only)", "ns", Row.Pick(maxima, d => d.Max), Column.Raw);
    }
}
