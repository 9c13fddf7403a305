using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Scratch;
using Transport.Loads.Trees;

namespace Transport.Loads.Scenarios;

/// <summary>200 packages of 5 to 300 files into an empty package folder: by System.IO.Compression and FileOutput, several at once, beside
/// <c>dotnet restore</c>, of whose time what it needs with a full folder is taken off.</summary>
internal sealed class PackagesScenario : IScenario
{
    private const string Full = "with a full folder";

    private static readonly int[] s_degrees = [1, 2, 4, 8];

    public string Name => "packages";

    public string Summary => "200 NuGet packages extracted by System.IO.Compression and FileOutput, 1 to 8 at once; beside dotnet restore";

    public IEnumerable<Row> Run(RunOptions options)
    {
        using var scratch = new ScratchFolder("packages", ScratchPath.Disk);
        var feed = new PackageFeed(scratch.Location, options.Quick ? 10 : 200);
        var rounds = new List<Dictionary<string, TreeSample>>();
        var ways = new Dictionary<string, Func<string, TreeSample>>(StringComparer.Ordinal) { [TreeColumn.Restore] = feed.Restore };
        foreach (int degree in s_degrees)
        {
            ways[WayOf(degree)] = folder => TreeSample.Of(() => feed.Extract(folder, degree));
        }

        string reference = Path.Combine(scratch.Location, "reference");
        feed.Restore(reference);
        using var place = TreePlace.OnDisk();
        for (int i = options.Quick ? 0 : -1; i < options.Rounds; i++)
        {
            var round = new Dictionary<string, TreeSample>(StringComparer.Ordinal);
            place.BeginRound();
            foreach (string way in Turns.Rotated(ways.Keys, i + 1))
            {
                string folder = place.Fresh();
                round[way] = ways[way](folder);
                feed.Compare(reference, folder, way, wholeFiles: i <= 0);
            }

            place.EndRound();
            round[Full] = feed.Restore(reference);
            if (i >= 0)
            {
                rounds.Add(round);
            }
        }

        return [.. s_degrees.SelectMany(degree => Rows(options, rounds, degree, feed.Files))];
    }

    private IEnumerable<Row> Rows(RunOptions options, List<Dictionary<string, TreeSample>> rounds, int degree, int files)
    {
        Row Make(string metric, string unit, Func<TreeSample, TreeSample, double> value, Target? target)
        {
            List<IReadOnlyDictionary<string, double>> values =
                rounds.ConvertAll<IReadOnlyDictionary<string, double>>(r => new Dictionary<string, double>(StringComparer.Ordinal)
                {
                    [Column.Transport] = value(r[WayOf(degree)], default), [TreeColumn.Restore] = value(r[TreeColumn.Restore], r[Full]),
                });
            return Row.Make(options, Name, $"{degree} at once: {metric}", unit, values, TreeColumn.Restore, target);
        }

        yield return Make("files", "files/s", (s, off) => files / (s.Seconds - off.Seconds),
            degree == s_degrees[^1] ? Target.AtLeast(1) : null);
        yield return Make("CPU", "us/file", (s, off) => (s.CpuMicros - off.CpuMicros) / files, null);
    }

    private static string WayOf(int degree) => string.Create(CultureInfo.InvariantCulture, $"{degree} at once");
}
