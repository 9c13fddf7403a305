using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using Transport.Files;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Trees;

namespace Transport.Loads.Scenarios;

/// <summary>Files of 1 B to 100 MB by both kinds of writer, on the caller's thread and by two. Few rounds, no targets.</summary>
internal sealed class FilesSizesScenario : IScenario
{
    private const int MostRounds = 5;
    private const int MostFiles = 1_000;
    private const long MostBytes = 100_000_000;

    private static readonly int[] s_sizes = [1, 1 << 10, 10 << 10, 100 << 10, 1 << 20, 10 << 20, 100_000_000];

    public string Name => "files-sizes";

    public string Summary =>
        "FileOutput, files of 1 B to 100 MB: streams, mappings, WriteAllBytes, on tmpfs and disk; few rounds, no targets";

    public IEnumerable<Row> Run(RunOptions options)
    {
        var rows = new List<Row>();
        foreach (Func<TreePlace?> open in (Func<TreePlace?>[])[TreePlace.InMemory, TreePlace.OnDisk])
        {
            using TreePlace? place = open();
            if (place is not null)
            {
                rows.AddRange(Measure(options, place));
            }
        }

        return rows;
    }

    private List<Row> Measure(RunOptions options, TreePlace place)
    {
        int[] sizes = options.Quick ? [1, 100 << 10] : s_sizes;
        int[] writers = options.Quick ? [2] : [0, 2];
        var rounds = sizes.SelectMany(s => writers.Select(w => (Size: s, Writers: w)))
            .ToDictionary(c => c, _ => new List<IReadOnlyDictionary<string, double>>());
        byte[] bytes = new byte[sizes.Max()];
        new Random(9).NextBytes(bytes);
        for (int i = -1; i < (options.Quick ? 0 : Math.Min(options.Rounds, MostRounds)); i++)
        {
            place.BeginRound();
            foreach (((int size, int threads), List<IReadOnlyDictionary<string, double>> into) in rounds)
            {
                var round = new Dictionary<string, double>(StringComparer.Ordinal);
                foreach (string column in Turns.Rotated([Column.Transport, TreeColumn.Mmap, TreeColumn.Plain], i + 1))
                {
                    round.Add(column, Once(place.Fresh(), column, threads, bytes.AsMemory(0, size), options.Quick ? 100 : MostFiles));
                }

                if (i >= 0 || options.Quick)
                {
                    into.Add(round);
                }
            }

            place.EndRound();
        }

        return [.. rounds.Select(
            r => Row.Make(options, Name, $"{place.Name}, {Said(r.Key.Writers)}, {Size(r.Key.Size)}", "MB/s", r.Value, TreeColumn.Mmap)
            .In($"{place.Name}, {Said(r.Key.Writers)}: speed over bytes of a file", r.Key.Size))];
    }

    private static double Once(string target, string column, int writers, ReadOnlyMemory<byte> bytes, int most)
    {
        int files = (int)Math.Clamp(MostBytes / bytes.Length, 1, most);
        string[] names = [.. Enumerable.Range(0, files).Select(i => string.Create(CultureInfo.InvariantCulture, $"f{i}"))];
        TreeSample sample = column == TreeColumn.Plain
            ? TreeWriters.PlainFiles(target, names, bytes)
            : TreeWriters.OutputFiles(target, names, bytes, new FileOutputOptions
            {
                Writers = writers, Io = column == TreeColumn.Mmap ? FileIo.Mmap : FileIo.Stream,
            });
        long there = new DirectoryInfo(target).EnumerateFiles().Sum(f => f.Length);
        return there == (long)files * bytes.Length ? there / sample.Seconds / 1e6
            : throw new LoadException($"{column}: {there} bytes in place of {(long)files * bytes.Length}.");
    }

    private static string Said(int writers) => writers == 0 ? "caller's thread" : $"{writers} writers";

    private static string Size(int bytes) => bytes switch
    {
        < 1 << 10 => $"{bytes} B",
        < 1 << 20 => $"{bytes >> 10} KB",
        100_000_000 => "100 MB",
        _ => $"{bytes >> 20} MB",
    };
}
