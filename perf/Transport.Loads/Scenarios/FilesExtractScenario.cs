using System;
using System.Collections.Generic;
using System.Linq;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Scratch;
using Transport.Loads.Trees;

namespace Transport.Loads.Scenarios;

/// <summary>20,000 files of 2 KB out of a tar or a zip by <c>buildharness extract</c>, a program of its own, beside tar, unzip and what
/// .NET has.</summary>
/// <param name="name">The scenario's word.</param>
/// <param name="open">Opens the place; null: there is none.</param>
/// <param name="format">tar or zip.</param>
internal sealed class FilesExtractScenario(string name, Func<TreePlace?> open, string format) : IScenario
{
    private const string Starts = "start ";

    public string Name => name;

    public string Summary => $"20,000 files of 2 KB by buildharness extract, "
        + $"{(name.EndsWith("disk", StringComparison.Ordinal) ? "a disk's file system" : "tmpfs")}: 1 to 4 writers; beside "
        + $"{(format == ExtractCase.Tar ? "tar, TarFile" : "unzip, ZipFile")}";

    public IEnumerable<Row> Run(RunOptions options)
    {
        using TreePlace? place = open();
        string? missing = place is null ? "no /dev/shm here" : PublishedHarness.IsBuilt ? null : "samples/BuildHarness is not built";
        if (place is null || missing is not null)
        {
            return [Row.Missing(options, Name, "20,000 files", "files/s", missing!)];
        }

        using var archives = new ScratchFolder("archives");
        var content = new TreeContent(options.Quick ? 1_000 : 20_000);
        var bench = new TreeBench(place, content);
        ExtractCase[] cases =
            [.. ExtractCase.All.Where(c => c.Format == format).Where(c => !options.Quick || (c.Writers == 2 && c.Extra.Length == 0))];
        Fill(bench, cases, PublishedHarness.Make(options), new TreeArchives(archives.Location, content), new TreeFloor(archives.Location));
        bench.Run(options);
        options.Say($"{Name}: {place.Kind}");
        return [.. cases.SelectMany(c => Rows(options, bench, c, content.Files.Count)), StartRow(options, bench)];
    }

    private void Fill(TreeBench bench, ExtractCase[] cases, PublishedHarness harness, TreeArchives archives, TreeFloor floor)
    {
        (string all, string one) = format == ExtractCase.Zip ? (archives.Zip, archives.OneZip) : (archives.Tar, archives.OneTar);
        foreach (ExtractCase c in cases)
        {
            bench.Add(c.Name, target => harness.Extract(all, target, c.Options));
        }

        bench.Add(Starts + Column.Transport, target => harness.Extract(one, target), isWhole: false);
        if (format == ExtractCase.Zip)
        {
            bench.Add(TreeColumn.ZipFile, target => TreeWriters.ZipFileClass(all, target));
            if (TreeWriters.Missing(TreeColumn.Unzip) is null)
            {
                bench.Add(TreeColumn.Unzip, target => TreeWriters.Unzip(all, target));
                bench.Add(Starts + TreeColumn.Unzip, target => TreeWriters.Unzip(one, target), isWhole: false);
            }

            return;
        }

        floor.AddTo(bench, all);
        bench.Add(TreeColumn.TarFile, target => TreeWriters.TarFileClass(all, target));
        if (TreeWriters.Missing("tar") is null)
        {
            bench.Add(TreeColumn.Tar, target => TreeWriters.Tar(all, target, times: true));
            bench.Add(TreeColumn.TarNoTimes, target => TreeWriters.Tar(all, target, times: false));
            bench.Add(Starts + TreeColumn.Tar, target => TreeWriters.Tar(one, target, times: true), isWhole: false);
        }
    }

    private IEnumerable<Row> Rows(RunOptions options, TreeBench bench, ExtractCase c, int files)
    {
        // A quick run takes the program that is compiled as it runs, whose work cannot be reported from its start: nothing of that is shown
        // or judged. Both numbers: the work alone, each program's own start taken off, and all of it as the user waits for it.
        double Work(string column, TreeSample sample) =>
            files / (sample.Seconds - bench.MedianSeconds(Starts + (column == TreeColumn.TarNoTimes ? TreeColumn.Tar : column)));
        double Whole(string column, TreeSample sample) => files / sample.Seconds;
        Row Make(string metric, string unit, Func<string, TreeSample, double> value, string against, Target? target,
            params string[] others) => Row.Make(
            options, Name, $"{c.Name}: {metric}", unit,
                bench.Pick(value, [(Column.Transport, c.Name), (Column.Floor, c.Extra.Length == 0 ? TreeFloor.Of(c.Writers) : string.Empty),
                (against, against), .. others.Select(o => (o, o))]), against, target, TreeWriters.Missing(c.Against.Split(' ')[0]));
        if (!options.Quick)
        {
            yield return Make("start-up taken off", "files/s", Work, c.Against, c.Target, c.InProcess);
        }

        if (c.AgainstClass is not null && !options.Quick)
        {
            yield return Make($"start-up taken off, beside {c.InProcess}", "files/s", Work, c.InProcess, c.AgainstClass);
        }

        yield return Make("start-up included", "files/s", Whole, c.Against, null);
        yield return Make("CPU, start-up included", "us/file", (_, s) => s.CpuMicros / files, c.Against, null, c.InProcess);
    }

    private Row StartRow(RunOptions options, TreeBench bench)
    {
        string rival = format == ExtractCase.Zip ? TreeColumn.Unzip : TreeColumn.Tar;
        return Row.Make(options, Name, "start-up (an archive of one file)", "ms",
            bench.Pick((_, s) => s.Seconds * 1e3, [(Column.Transport, Starts + Column.Transport), (rival, Starts + rival)]), rival);
    }
}
