using System;
using System.Collections.Generic;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;

namespace Transport.Loads.Scenarios;

/// <summary>The road of bytes alone: events encoded beforehand, <c>SendRaw</c> to <c>OnRaw</c>, against C that does the same.</summary>
internal static class EncodedRows
{
    public static IEnumerable<Row> Run(RunOptions options, string scenario)
    {
        var rounds = new List<Dictionary<string, Sample>>();
        FloorCourse? floor = FloorCourse.Make(options, "events.bin", BodySet.Make(BodySet.EventsWord).Bodies);
        using (Course course = Course.Bodies(options, BodySet.EventsWord, least: 5_000))
        {
            course.WarmUp();
            for (int i = 0; i < options.Rounds; i++)
            {
                var round = new Dictionary<string, Sample>(StringComparer.Ordinal) { [Column.Transport] = course.Run() };
                if (floor is not null)
                {
                    round[Column.Bytes] = floor.Run();
                }

                rounds.Add(round);
            }
        }

        yield return Row.Make(options, scenario, "encoded beforehand: throughput", "events/s", Row.Pick(rounds, s => s.PacketsPerSecond), Column.Bytes, Target.AtLeast(0.4));
        yield return Row.Make(options, scenario, "encoded beforehand: CPU of both sides", "us/event", Row.Pick(rounds, s => s.Cpu), Column.Bytes, Target.AtMost(3));
        yield return Row.Make(options, scenario, "encoded beforehand: CPU of the sender", "us/event", Row.Pick(rounds, s => s.SenderCpu / s.Packets), Column.Bytes);
        yield return Row.Make(options, scenario, "encoded beforehand: allocated by the sender", "B/event", Only(rounds, s => s.AllocatedBySender), target: Target.ValueAtMost(0.5, 8));
        yield return Row.Make(options, scenario, "encoded beforehand: allocated by the receiver", "B/event", Only(rounds, s => s.AllocatedByReceiver), target: Target.ValueAtMost(0.5, 8));
    }

    /// <summary>Picks this library's values alone: what the C floor allocates is not counted.</summary>
    public static List<IReadOnlyDictionary<string, double>> Only(List<Dictionary<string, Sample>> rounds, Func<Sample, double> value) =>
        rounds.ConvertAll<IReadOnlyDictionary<string, double>>(r => new Dictionary<string, double>(StringComparer.Ordinal) { [Column.Transport] = value(r[Column.Transport]) });
}
