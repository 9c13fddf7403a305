using System;
using System.Collections.Generic;
using System.Globalization;
using Transport.Loads.Events;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;

namespace Transport.Loads.Scenarios;

/// <summary>Packets of 64 KiB to 5 MB, against C that makes the same user-space copies; and what an urgent packet waits for beside a flood
/// of 5 MB ones.</summary>
internal sealed class LargeScenario : IScenario
{
    public string Name => "large";

    public string Summary => "64 KiB, 1 MB, 5 MB: GB/s, allocations; an urgent packet beside a 5 MB flood";

    public IEnumerable<Row> Run(RunOptions options)
    {
        var rows = new List<Row>();
        rows.AddRange(Measure(options, "64 KiB", 64 << 10, least: 200, judged: false, allocation: 0.5, quickAllocation: 5));
        rows.AddRange(Measure(options, "1 MB", 1 << 20, least: 100, judged: true, allocation: 10, quickAllocation: 100));
        rows.AddRange(Measure(options, "5 MB", 5 << 20, least: 10, judged: false, allocation: 10, quickAllocation: 1_000));
        rows.AddRange(UrgentRows.Run(options, Name));
        return rows;
    }

    private IEnumerable<Row> Measure(
        RunOptions options, string name, int size, int least, bool judged, double allocation, double quickAllocation)
    {
        List<Dictionary<string, Sample>> rounds =
            BodyRounds.Run(options, size.ToString(CultureInfo.InvariantCulture), least, trial: least * 2);
        double Speed(Sample s) => s.PacketsPerSecond * size / 1e9;
        yield return Row.Make(options, Name, $"{name}: against the floor", "GB/s", Row.Pick(rounds, Speed), Column.Bytes, judged
            ? Target.AtLeast(0.8) : null);
        if (judged)
        {
            yield return Row.Make(options, Name, $"{name}: speed", "GB/s", Row.Pick(rounds, Speed), target: Target.ValueAtLeast(3, 0.3));
        }

        yield return Row.Make(options, Name, $"{name}: CPU of both sides", "us/packet", Row.Pick(rounds, s => s.Cpu), Column.Bytes)
            .In("CPU of both sides over packet size", size);
        yield return Row.Make(options, Name, $"{name}: allocated by the sender", "B/packet",
            BodyRounds.Only(rounds, s => s.AllocatedBySender), target: Target.ValueAtMost(allocation, quickAllocation));
        yield return Row.Make(options, Name, $"{name}: allocated by the receiver", "B/packet",
            BodyRounds.Only(rounds, s => s.AllocatedByReceiver), target: Target.ValueAtMost(allocation, quickAllocation));
    }
}
