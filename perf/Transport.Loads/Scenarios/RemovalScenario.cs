using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Transport.Files;
using Transport.Loads.Measuring;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Trees;

namespace Transport.Loads.Scenarios;

/// <summary>Trees of 20,000 files in 200 folders are removed: by <see cref="FileOutput.RemoveTreeAsync"/> and by <c>rm -rf</c>.</summary>
internal sealed class RemovalScenario : IScenario
{
    public string Name => "removal";

    public string Summary => "20,000 files in 200 folders removed, on tmpfs, ext4 and a disk that answers after 3 ms; beside rm -rf";

    public IEnumerable<Row> Run(RunOptions options) =>
    [
        .. Rows(options, "tmpfs", TreePlace.InMemory(), "no /dev/shm here", Target.AtLeast(1)),
        .. Rows(options, "ext4", TreePlace.OnDisk(), string.Empty, Target.AtLeast(1)),
        .. Rows(options, "3 ms", TreePlace.FarAway(out string why), why, Target.AtLeast(4)),
    ];

    private List<Row> Rows(RunOptions options, string where, TreePlace? opened, string why, Target target)
    {
        using TreePlace? place = opened;
        if (place is null)
        {
            return [Row.Missing(options, Name, $"{where}: files", "files/s", why, TreeColumn.Rm, target)];
        }

        var content = new TreeContent(options.Quick ? 400 : 20_000);
        var ways = new Dictionary<string, Func<string, TreeSample>>(StringComparer.Ordinal)
        {
            [Column.Transport] = path => TreeSample.Of(() => FileOutput.RemoveTreeAsync(path).GetAwaiter().GetResult()),
            [TreeColumn.Rm] = path => TreeSample.OfProgram("rm", "-rf", path),
        };
        if (!place.IsFarAway)
        {
            ways[TreeColumn.Delete] = path => TreeSample.Of(() => Directory.Delete(path, recursive: true));
        }

        List<Dictionary<string, TreeSample>> rounds = [];
        int count = options.Quick ? 1 : place.IsFarAway ? Math.Min(3, options.Rounds) : options.Rounds;
        for (int i = options.Quick ? 0 : place.IsFarAway ? 0 : -1; i < count; i++)
        {
            var round = new Dictionary<string, TreeSample>(StringComparer.Ordinal);
            place.BeginRound();
            foreach (string way in Turns.Rotated(ways.Keys, i + 1))
            {
                string path = place.Fresh();
                TreeWriters.Output(content, place.Behind(path), new FileOutputOptions());
                round.Add(way, ways[way](path));
                if (Directory.Exists(path))
                {
                    throw new LoadException($"{way} has left {path}.");
                }
            }

            place.EndRound();
            if (i >= 0)
            {
                rounds.Add(round);
            }
        }

        options.Say($"{Name}: {place.Kind}");
        int files = content.Files.Count;
        return
        [
            Row.Make(options, Name, $"{where}: files", "files/s", Row.Pick(rounds, s => files / s.Seconds), TreeColumn.Rm, target),
            Row.Make(options, Name, $"{where}: CPU", "us/file", Row.Pick(rounds, s => s.CpuMicros / files), TreeColumn.Rm),
        ];
    }
}
