using System;
using System.Collections.Generic;
using System.Linq;
using Transport.Files;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Scratch;
using Transport.Loads.Trees;

namespace Transport.Loads.Scenarios;

/// <summary>20,000 files of 2 KB in 200 folders by <see cref="FileOutput"/>, fed from memory, beside tar and what .NET has.</summary>
/// <param name="name">The scenario's word.</param>
/// <param name="open">Opens the place; null: there is none.</param>
internal sealed class FilesScenario(string name, Func<TreePlace?> open) : IScenario
{
    private static readonly (string Way, FileOutputOptions Options)[] s_ways =
    [
        ("caller's thread", new FileOutputOptions { Writers = 0 }),
        ("1 writer", new FileOutputOptions { Writers = 1 }),
        ("2 writers", new FileOutputOptions { Writers = 2 }),
        ("4 writers", new FileOutputOptions { Writers = 4 }),
        ("2 writers, no times", new FileOutputOptions { Writers = 2, SetTimes = false }),
        ("2 writers, mmap", new FileOutputOptions { Writers = 2, Io = FileIo.Mmap }),
    ];

    private const string StartOfTar = "start of tar";

    public string Name => name;

    public string Summary => $"20,000 files of 2 KB by FileOutput from memory, "
        + $"{(name.EndsWith("disk", StringComparison.Ordinal) ? "a disk's file system" : "tmpfs")}: 0 to 4 writers, mmap; beside tar, "
        + "TarFile, WriteAllBytes";

    public IEnumerable<Row> Run(RunOptions options)
    {
        using TreePlace? place = open();
        if (place is null)
        {
            return [Row.Missing(options, Name, "20,000 files", "files/s", "no /dev/shm here")];
        }

        using var archives = new ScratchFolder("archives");
        var content = new TreeContent(options.Quick ? 1_000 : 20_000);
        var bench = new TreeBench(place, content);
        Fill(bench, content, new TreeArchives(archives.Location, content), new TreeFloor(archives.Location));
        bench.Run(options);
        options.Say($"{Name}: {place.Kind}");
        return [.. Rows(options, bench, content.Files.Count)];
    }

    private static void Fill(TreeBench bench, TreeContent content, TreeArchives archives, TreeFloor floor)
    {
        floor.AddTo(bench, archives.Tar);
        foreach ((string way, FileOutputOptions options) in s_ways)
        {
            bench.Add(way, target => TreeWriters.Output(content, target, options));
        }

        bench.Add(TreeColumn.Plain, target => TreeWriters.Plain(content, target));
        bench.Add(TreeColumn.TarFile, target => TreeWriters.TarFileClass(archives.Tar, target));
        if (TreeWriters.Missing("tar") is null)
        {
            bench.Add(TreeColumn.Tar, target => TreeWriters.Tar(archives.Tar, target, times: true));
            bench.Add(TreeColumn.TarNoTimes, target => TreeWriters.Tar(archives.Tar, target, times: false));
            bench.Add(StartOfTar, target => TreeWriters.Tar(archives.OneTar, target, times: true), isWhole: false);
        }
    }

    private IEnumerable<Row> Rows(RunOptions options, TreeBench bench, int files)
    {
        double start = bench.MedianSeconds(StartOfTar);
        // tar's own start is taken off; if a disturbed round makes it longer than the run, half of the run at most.
        double Speed(string column, TreeSample sample) => files / (column is TreeColumn.Tar or TreeColumn.TarNoTimes
            ? Math.Max(sample.Seconds - start, sample.Seconds / 2)
            : sample.Seconds);
        Row Make(string way, string metric, string unit, Func<string, TreeSample, double> value, string against, Target? target = null,
            string? floor = null, params string[] others) => Row.Make(
            options, Name, $"{way}: {metric}", unit,
                bench.Pick(value, [(Column.Transport, way), (Column.Floor, floor ?? string.Empty), .. others.Append(against)
                .Distinct(StringComparer.Ordinal).Select(o => (o, o))]), against, target, TreeWriters.Missing("tar"));
        foreach ((string way, FileOutputOptions output) in s_ways)
        {
            bool judged = output is { Writers: 2, SetTimes: true, Io: FileIo.Auto };
            string? floor = output.SetTimes && output.Io == FileIo.Auto ? TreeFloor.Of(output.Writers!.Value) : null;
            string tar = output.SetTimes ? TreeColumn.Tar : TreeColumn.TarNoTimes;
            yield return Make(way, "files", "files/s", Speed, tar, judged ? Target.AtLeast(2) : null, floor, TreeColumn.Plain,
                TreeColumn.TarFile);
            if (judged)
            {
                yield return Make(way, "beside TarFile", "files/s", Speed, TreeColumn.TarFile, Target.AtLeast(1.5));
            }

            yield return Make(way, "CPU", "us/file", (_, s) => s.CpuMicros / files, tar, null, floor, TreeColumn.Plain, TreeColumn.TarFile);
        }
    }
}
