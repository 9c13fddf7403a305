using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Transport.Loads.Measuring;
using Transport.Loads.Rivals;

namespace Transport.Loads.Report;

/// <summary>One line of the table: one metric of one scenario, over all columns and rounds.</summary>
internal sealed record Row
{
    /// <summary>Makes a row, and compares what its rounds hold.</summary>
    /// <param name="scenario">The scenario.</param>
    /// <param name="metric">What was measured.</param>
    /// <param name="unit">Its unit.</param>
    /// <param name="rounds">The values.</param>
    /// <param name="against">The column to compare with; null: none.</param>
    /// <param name="kind">What is compared.</param>
    public Row(string scenario, string metric, string unit, IReadOnlyList<IReadOnlyDictionary<string, double>> rounds, string? against,
        TargetKind kind)
    {
        Scenario = scenario;
        Metric = metric;
        Unit = unit;
        Rounds = rounds;
        Against = against;
        Kind = kind;
        Compared = Compare(rounds, against, kind);
    }

    public string Scenario { get; }

    public string Metric { get; }

    public string Unit { get; }

    /// <summary>Gets the values of each round, by column; a column that does not apply is not there.</summary>
    public IReadOnlyList<IReadOnlyDictionary<string, double>> Rounds { get; }

    /// <summary>Gets the column that is compared with, or null.</summary>
    public string? Against { get; }

    /// <summary>Gets what is compared: what the target speaks of; without one a quotient.</summary>
    public TargetKind Kind { get; }

    /// <summary>Gets the median and interval of the quotient, the difference or the value, whichever the target speaks of; null if
    /// nothing is compared.</summary>
    public Interval? Compared { get; }

    /// <summary>Gets the target in words; null: there is none.</summary>
    public string? TargetText { get; init; }

    /// <summary>Gets whether the target holds; null if there is none, or its column is missing.</summary>
    public bool? Holds { get; init; }

    /// <summary>Gets why the row, or the column it is compared with, was not measured; null if it was.</summary>
    public string? Why { get; init; }

    /// <summary>Gets where this row stands in a plot of cost over size or over workers: the plot's name and the place on its x axis; null:
    /// in none.</summary>
    public (string Plot, double X)? Place { get; init; }

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
        var row = new Row(scenario, metric, unit, rounds, against, target?.Kind ?? TargetKind.Ratio);
        if (row.Compared is null && IdleRounds(rounds, against, row.Kind) is > 0 and var idle)
        {
            why = string.Create(CultureInfo.InvariantCulture, $"{against} had nothing in {idle} of {rounds.Count} rounds");
        }

        return row with
        {
            TargetText = target?.Text(options.Quick, against),
            Holds = target is not null && row.Compared is { } interval ? target.Holds(interval, options.Quick) : null,
            Why = row.Compared is null ? why ?? (against == Column.Bytes ? options.Floor.Missing : null) : null,
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
        Target? target = null) => new(scenario, metric, unit, [], against, target?.Kind ?? TargetKind.Ratio)
    {
        TargetText = target?.Text(options.Quick, against),
        Why = why,
    };

    /// <summary>Puts this row into a plot of several rows.</summary>
    /// <returns>The row with its place.</returns>
    public Row In(string plot, double x) => this with { Place = (plot, x) };

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

    private static Interval? Compare(IReadOnlyList<IReadOnlyDictionary<string, double>> rounds, string? against, TargetKind kind)
    {
        IEnumerable<IReadOnlyDictionary<string, double>> ours = rounds.Where(r => r.ContainsKey(Column.Transport));
        double[] compared = kind == TargetKind.Value ? [.. ours.Select(r => r[Column.Transport])]
            : against is null || IdleRounds(rounds, against, kind) > 0 ? []
            : [.. ours.Where(r => r.ContainsKey(against)).Select(
                r => kind == TargetKind.Ratio ? r[Column.Transport] / r[against] : r[Column.Transport] - r[against])];
        return compared.Length > 0 ? Interval.Of(compared) : null;
    }

    /// <summary>Counts the rounds in which the other column did nothing: they have no quotient.</summary>
    private static int IdleRounds(IReadOnlyList<IReadOnlyDictionary<string, double>> rounds, string? against, TargetKind kind) =>
        kind == TargetKind.Ratio && against is not null ? rounds.Count(r => r.TryGetValue(against, out double value) && value == 0) : 0;
}
