using System.Collections.Generic;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;

namespace Transport.Loads.Scenarios;

/// <summary>The path of bytes alone: events encoded beforehand, <c>SendRaw</c> to <c>OnRaw</c>, against C that does the same.</summary>
internal static class EncodedRows
{
    public static IEnumerable<Row> Run(RunOptions options, string scenario)
    {
        List<Dictionary<string, Sample>> rounds = BodyRounds.Run(options, BodySet.EventsWord, least: 5_000, trial: 20_000);
        yield return Row.Make(options, scenario, "encoded beforehand: throughput", "events/s", Row.Pick(rounds, s => s.PacketsPerSecond),
            Column.Bytes, Target.AtLeast(0.4));
        yield return Row.Make(options, scenario, "encoded beforehand: CPU of both sides", "us/event", Row.Pick(rounds, s => s.Cpu),
            Column.Bytes, Target.AtMost(3));
        yield return Row.Make(options, scenario, "encoded beforehand: CPU of the sender", "us/event",
            Row.Pick(rounds, s => s.SenderCpu / s.Packets), Column.Bytes);
        yield return Row.Make(options, scenario, "encoded beforehand: allocated by the sender", "B/event",
            BodyRounds.Only(rounds, s => s.AllocatedBySender), target: Target.ValueAtMost(0.5, 8));
        yield return Row.Make(options, scenario, "encoded beforehand: allocated by the receiver", "B/event",
            BodyRounds.Only(rounds, s => s.AllocatedByReceiver), target: Target.ValueAtMost(0.5, 8));
    }
}
