using System;
using System.Collections.Generic;
using Transport.Files;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Scratch;
using Transport.Loads.Trees;

namespace Transport.Loads.Scenarios;

/// <summary>2,000 files of 2 KB on a disk that answers after 3 ms: in 20 folders, and all in one.</summary>
internal sealed class FilesFarScenario : IScenario
{
    public string Name => "files-far";

    public string Summary => "2,000 files on a file system that answers after 3 ms (FUSE): in 20 folders and in one; beside tar";

    public IEnumerable<Row> Run(RunOptions options) =>
        [.. Rows(options, "20 folders", 20, Target.AtLeast(8)), .. Rows(options, "one folder", 1, Target.AtLeast(1.6))];

    private IEnumerable<Row> Rows(RunOptions options, string what, int folders, Target target)
    {
        using TreePlace? place = TreePlace.FarAway(out string why);
        if (place is null)
        {
            return [Row.Missing(options, Name, $"{what}: files", "files/s", why, TreeColumn.Tar, target)];
        }

        using var archives = new ScratchFolder("archives");
        int files = options.Quick ? 100 : 2_000;
        var content = new TreeContent(files, files / folders);
        var all = new TreeArchives(archives.Location, content);
        var bench = new TreeBench(place, content);
        bench.Add(Column.Transport, path => TreeWriters.Output(content, path, new FileOutputOptions()));
        bench.Add(TreeColumn.TwoWriters, path => TreeWriters.Output(content, path, new FileOutputOptions { Writers = 2 }));
        bench.Add(TreeColumn.Tar, path => TreeWriters.Tar(all.Tar, path, times: true));
        bench.Run(options);
        options.Say($"{Name}: {place.Kind}");
        (string, string)[] columns = Array.ConvertAll(Column.Of(Name), column => (column, column));
        Row Make(string metric, string against, Target? least) => Row.Make(options, Name, $"{what}: {metric}", "files/s",
            bench.Pick((_, s) => files / s.Seconds, columns), against, least, TreeWriters.Missing("tar"));
        return [Make("files", TreeColumn.Tar, target), Make("beside two writers", TreeColumn.TwoWriters, null)];
    }
}
