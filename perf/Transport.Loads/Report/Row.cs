using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;

namespace Transport.Loads.Report;

/// <summary>One line of the table: one metric of one scenario, over all columns and rounds.</summary>
internal sealed class Row
{
    private Row(string scenario, string metric, string unit, IReadOnlyList<IReadOnlyDictionary<string, double>> rounds)
    {
        Scenario = scenario;
        Metric = metric;
        Unit = unit;
        Rounds = rounds;
    }

    public string Scenario { get; }

    public string Metric { get; }

    public string Unit { get; }

    /// <summary>Gets the values of each round, by column; a column that does not apply is not there.</summary>
    public IReadOnlyList<IReadOnlyDictionary<string, double>> Rounds { get; }

    /// <summary>Gets the column that is compared with, or null.</summary>
    public string? Against { get; private init; }

    /// <summary>Gets the median and interval of the quotient, the difference or the value, whichever the target speaks of; null if
    /// nothing is compared.</summary>
    public Interval? Compared { get; private init; }

    public Target? Target { get; private init; }

    /// <summary>Gets the target in words, or null.</summary>
    public string? TargetText { get; private init; }

    /// <summary>Gets whether the target holds; null if there is none, or its column is missing.</summary>
    public bool? Holds { get; private init; }

    /// <summary>Gets why the row, or the column it is compared with, was not measured; null if it was.</summary>
    public string? Why { get; private init; }

    /// <summary>Gets where this row stands in a plot of cost over size or over workers: the plot's name and the place on its x axis; null:
    /// in none.</summary>
    public (string Plot, double X)? Place { get; private set; }

    public string Name => $"{Scenario}: {Metric}";

    /// <summary>Gets the sentence that says so if rounds of this row do not belong together, or null.</summary>
    public string? NotSteady => Steadiness.Fault(this);

    /// <summary>Makes a row.</summary>
    /// <param name="options">Whether it was a quick run.</param>
    /// <param name="scenario">The scenario.</param>
    /// <param name="metric">What was measured.</param>
    /// <param name="unit">Its unit.</param>
    /// <param name="rounds">The values.</param>
    /// <param name="against">The column to compare with; null: none.</param>
    /// <param name="target">What must hold; null: shown only.</param>
    /// <param name="why">Why the column to compare with is missing, if it is.</param>
    public static Row Make(
        RunOptions options,
        string scenario,
        string metric,
        string unit,
        IReadOnlyList<IReadOnlyDictionary<string, double>> rounds,
        string? against = null,
        Target? target = null,
        string? why = null)
    {
        TargetKind kind = target?.Kind ?? TargetKind.Ratio;
        Interval? compared = null;
        int pairs = against is null ? 0 : rounds.Count(r => r.ContainsKey(against) && r.ContainsKey(Column.Transport));
        int nothing = kind == TargetKind.Ratio && against is not null ? rounds.Count(r => r.TryGetValue(against, out double v) && v == 0)
            : 0;
        if (nothing > 0)
        {
            // no quotient
            why = string.Create(CultureInfo.InvariantCulture, $"{against} had nothing in {nothing} of {rounds.Count} rounds");
        }
        else if (kind == TargetKind.Value && rounds.Any(r => r.ContainsKey(Column.Transport)))
        {
            compared = Interval.Of(rounds.Where(r => r.ContainsKey(Column.Transport)).Select(r => r[Column.Transport]));
        }
        else if (pairs > 0)
        {
            compared = Interval.Of(rounds
                .Where(r => r.ContainsKey(against!) && r.ContainsKey(Column.Transport))
                .Select(r => kind == TargetKind.Ratio ? r[Column.Transport] / r[against!] : r[Column.Transport] - r[against!]));
        }

        return new Row(scenario, metric, unit, rounds)
        {
            Against = against,
            Compared = compared,
            Target = target,
            TargetText = target?.Text(options.Quick, against),
            Holds = target is not null && compared is { } interval ? target.Holds(interval, options.Quick) : null,
            Why = compared is null ? why ?? (against == Column.Bytes ? options.Floor.Missing : null) : null,
        };
    }

    /// <summary>Makes a row of something that could not be measured here.</summary>
    /// <param name="options">Whether it was a quick run.</param>
    /// <param name="scenario">The scenario.</param>
    /// <param name="metric">What was to be measured.</param>
    /// <param name="unit">Its unit.</param>
    /// <param name="why">Why it was not, in a few words.</param>
    /// <param name="against">The column it would be compared with; null: none.</param>
    /// <param name="target">What would have to hold; null: shown only.</param>
    public static Row Missing(RunOptions options, string scenario, string metric, string unit, string why, string? against = null,
        Target? target = null) => new(scenario, metric, unit, [])
    {
        Against = against,
        Target = target,
        TargetText = target?.Text(options.Quick, against),
        Why = why,
    };

    /// <summary>Puts this row into a plot of several rows.</summary>
    /// <returns>This row.</returns>
    public Row In(string plot, double x)
    {
        Place = (plot, x);
        return this;
    }

    /// <summary>Picks one value of every sample; a column that has none (a share of nothing) is left out.</summary>
    public static List<IReadOnlyDictionary<string, double>> Pick<T>(IEnumerable<Dictionary<string, T>> rounds, Func<T, double> value) =>
        [.. rounds.Select(r => r.Select(p => (p.Key, Value: value(p.Value))).Where(p => double.IsFinite(p.Value))
            .ToDictionary(p => p.Key, p => p.Value, StringComparer.Ordinal))];

    /// <summary>Gets the median of a column; null if it does not apply.</summary>
    public double? Median(string column)
    {
        double[] values = [.. Rounds.Where(r => r.ContainsKey(column)).Select(r => r[column])];
        return values.Length == 0 ? null : Interval.Of(values).Median;
    }
}
