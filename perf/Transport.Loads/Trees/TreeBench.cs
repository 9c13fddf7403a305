using System;
using System.Collections.Generic;
using System.Linq;
using Transport.Loads.Measuring;
using Transport.Loads.Scenarios;

namespace Transport.Loads.Trees;

/// <summary>Rounds of several ways to write the same tree: in each round each way once, in turns, into fresh folders of one
/// place.</summary>
/// <param name="place">Where.</param>
/// <param name="content">What must be there afterwards.</param>
internal sealed class TreeBench(TreePlace place, TreeContent content)
{
    private readonly Dictionary<string, (Func<string, TreeSample> Write, bool IsWhole)> _ways = new(StringComparer.Ordinal);

    /// <summary>Gets the samples of each round, by way.</summary>
    public List<Dictionary<string, TreeSample>> Rounds { get; } = [];

    /// <summary>Adds a way.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="write">Writes into the folder named.</param>
    /// <param name="isWhole">Whether the whole tree comes of it; false: only the first file, to see what a start costs.</param>
    public void Add(string name, Func<string, TreeSample> write, bool isWhole = true) => _ways.Add(name, (write, isWhole));

    /// <summary>Runs one round that is not counted, in which every byte that came out is compared, then the others, in which files are
    /// counted. A quick run has only the first, and that counts.</summary>
    /// <exception cref="LoadException">Somebody failed or wrote something else.</exception>
    public void Run(RunOptions options)
    {
        for (int i = -1; i < (options.Quick ? 0 : options.Rounds); i++)
        {
            var round = new Dictionary<string, TreeSample>(StringComparer.Ordinal);
            place.BeginRound();
            foreach (string name in Turns.Rotated(_ways.Keys, i + 1))
            {
                round.Add(name, RunOnce(name, isFirst: i < 0));
            }

            place.EndRound();
            if (i >= 0 || options.Quick)
            {
                Rounds.Add(round);
            }
        }
    }

    /// <summary>Gets what a way takes in the middle; 0 if it was not run.</summary>
    public double MedianSeconds(string way) => Rounds.Count > 0 && Rounds[0].ContainsKey(way)
        ? Interval.Of(Rounds.Select(r => r[way].Seconds)).Median : 0;

    /// <summary>Picks one number a round of each column.</summary>
    /// <param name="value">Makes the number.</param>
    /// <param name="columns">The columns, each with the way it shows.</param>
    public List<IReadOnlyDictionary<string, double>> Pick(
        Func<string, TreeSample, double> value, IReadOnlyCollection<(string Column, string Way)> columns) =>
        Rounds.ConvertAll<IReadOnlyDictionary<string, double>>(r =>
            columns.Where(c => r.ContainsKey(c.Way)).ToDictionary(c => c.Column, c => value(c.Column, r[c.Way]), StringComparer.Ordinal));

    private TreeSample RunOnce(string name, bool isFirst)
    {
        string target = place.Fresh();
        (Func<string, TreeSample> write, bool isWhole) = _ways[name];
        TreeSample sample = write(target);
        if (isFirst && isWhole)
        {
            content.Check(target, name);
        }
        else if (isWhole)
        {
            content.CheckCount(target, name);
        }

        return sample;
    }
}
