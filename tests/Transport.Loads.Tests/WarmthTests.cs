using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using NUnit.Framework;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;

namespace Transport.Loads.Tests;

/// <summary>When a column counts as warm, and which rows are reported not to have been steady.</summary>
[TestFixture]
public sealed class WarmthTests
{
    private const int Packets = 1000;

    [Test]
    public void Code_is_warm_when_both_processes_have_worked_enough_and_three_rounds_agree()
    {
        // Microseconds a packet, as a busy machine gave them: it is the sixth that is the first of three alike.
        double[] costs = [1.78, 2.12, 1.7, 2.43, 1.2, 0.63, 0.60, 0.65, 0.62];
        var warmth = new Warmth(cpuSeconds: 0.001);
        int first = Array.FindIndex(costs, cost => warmth.IsEnoughWith(Round(cost)));
        Assert.That(costs[first], Is.EqualTo(0.65));
    }

    [Test]
    public void A_process_that_has_not_worked_enough_is_not_warm_however_much_the_other_has()
    {
        var warmth = new Warmth(cpuSeconds: 0.01);
        int first = Enumerable.Range(0, 100)
            .First(_ => warmth.IsEnoughWith(new Sample(Packets, 1, SenderCpu: 100_000, ReceiverCpu: 1000, 0, 0)));
        Assert.That(first, Is.EqualTo(9), "10 ms of the receiver, which takes one a round");
    }

    [Test]
    public void Rounds_in_which_much_was_compiled_are_not_warm_even_where_they_agree()
    {
        var warmth = new Warmth(cpuSeconds: 0);
        long[] compiled = [400, 90, 30, 20, 1, 0, 2, 0];
        int first = Array.FindIndex(compiled, c => warmth.IsEnoughWith(Round(1) with { Compiled = c }));
        Assert.That(first, Is.EqualTo(6));
    }

    [Test]
    public void Rounds_that_became_better_while_they_were_measured_are_reported()
    {
        Row row = Make([2.1, 2.1, 2.1, 1, 1, 1, 1, 0.7, 0.6], [1, 1, 1, 1, 1, 1, 1, 1, 1], "us/event");
        using var table = new StringWriter();
        Table.Write(table, [row]);
        Assert.That(table.ToString().Trim().Split('\n').Last(),
            Is.EqualTo("- not steady: s: m: transport 2.10 us/event in the first third of the rounds, 0.70 in the last"));
    }

    [Test]
    public void So_is_what_they_are_compared_with() =>
        Assert.That(Make([1, 1, 1, 1, 1, 1], [3, 3, 2, 2, 1, 1], "us/event").NotSteady, Does.Contain(": raw 3"));

    [TestCase("1 1.4 1 1.4 1 1.4", "us/event")]
    [TestCase("0.4 0.4 0.1 0.1 0.01 0.01", "B/event")]
    [TestCase("9 1 2", "us/event")]
    public void Noise_nothing_and_few_rounds_are_not_reported(string values, string unit) =>
        Assert.That(Make([.. values.Split(' ').Select(v => double.Parse(v, CultureInfo.InvariantCulture))], [1, 1, 1, 1, 1, 1],
            unit).NotSteady, Is.Null);

    [Test]
    public void A_usage_comes_back_from_its_text() =>
        Assert.That(Usage.Parse(new Usage(1, 2, 3, 4).ToString()), Is.EqualTo(new Usage(1, 2, 3, 4)));

    private static Sample Round(double micros) => new(Packets, 1, SenderCpu: micros * Packets / 2, ReceiverCpu: micros * Packets / 2, 0, 0);

    private static Row Make(double[] ours, double[] raw, string unit)
    {
        using var floor = new CFloor();
        return Row.Make(
            new RunOptions(ours.Length, Quick: false, floor, [], _ => { }),
            "s",
            "m",
            unit,
            [.. ours.Zip(raw, (o, r) => new Dictionary<string, double>(StringComparer.Ordinal)
            {
                [Column.Transport] = o, [Column.Raw] = r,
            })],
            Column.Raw);
    }
}
