using System;
using System.IO;
using System.Linq;
using NUnit.Framework;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Trees;
using Transport.Terminal;

namespace Transport.Loads.Tests;

/// <summary>The loads about files notice what is missing or wrong in a tree.</summary>
[TestFixture]
public sealed class TreeTests
{
    private string _folder = null!;

    [SetUp]
    public void Make() => _folder = Directory.CreateTempSubdirectory("tree-tests-").FullName;

    [TearDown]
    public void Remove() => Directory.Delete(_folder, recursive: true);

    [Test]
    public void A_tree_out_of_the_archives_is_the_tree()
    {
        var content = new TreeContent(200);
        var archives = new TreeArchives(_folder, content);
        TreeWriters.TarFileClass(archives.Tar, Path.Combine(_folder, "tar"));
        TreeWriters.ZipFileClass(archives.Zip, Path.Combine(_folder, "zip"));
        TreeWriters.ZipFileClass(archives.OneZip, Path.Combine(_folder, "one"));
        content.Check(Path.Combine(_folder, "tar"), "tar");
        content.Check(Path.Combine(_folder, "zip"), "zip");
        Assert.That(() => content.CheckCount(Path.Combine(_folder, "one"), "one"),
            Throws.TypeOf<LoadException>().With.Message.EqualTo("one: 1 files in place of 200."));
    }

    [Test]
    public void One_changed_byte_is_noticed()
    {
        var content = new TreeContent(100);
        TreeWriters.Plain(content, _folder);
        string file = Path.Combine(_folder, content.Files[70].Path);
        byte[] bytes = File.ReadAllBytes(file);
        bytes[^1] ^= 1;
        File.WriteAllBytes(file, bytes);
        Assert.That(() => content.Check(_folder, "plain"), Throws.TypeOf<LoadException>().With.Message.Contains(content.Files[70].Path));
    }

    [Test]
    public void A_bench_ends_with_the_way_that_wrote_too_little()
    {
        using var floor = new CFloor();
        using TreePlace place = TreePlace.InMemory() ?? TreePlace.OnDisk();
        var content = new TreeContent(100);
        var bench = new TreeBench(place, content);
        bench.Add("good", target => TreeWriters.Plain(content, target));
        bench.Add("start", target => TreeWriters.Plain(new TreeContent(0), target), isWhole: false);
        bench.Run(new RunOptions(2, Quick: false, floor, [], _ => { }));
        Assert.That(bench.Rounds.Select(r => r.Count), Is.EqualTo(new[] { 2, 2 }));
        bench.Add("lossy", target =>
        {
            TreeSample sample = TreeWriters.Plain(content, target);
            File.Delete(Path.Combine(target, content.Files[0].Path));
            return sample;
        });
        Assert.That(() => bench.Run(new RunOptions(1, Quick: false, floor, [], _ => { })),
            Throws.TypeOf<LoadException>().With.Message.EqualTo("lossy: 99 files in place of 100."));
    }

    [Test]
    public void A_trace_becomes_a_picture_and_anything_else_a_sentence()
    {
        string file = Path.Combine(_folder, "trace.json");
        using (var trace = ChromeTrace.Create(file))
        {
            TraceTrack track = trace.AddTrack("node", "writer <1>");
            trace.Span(track, "open", TimeSpan.Zero, TimeSpan.FromMilliseconds(1), "files");
            trace.Span(track, "write", TimeSpan.Zero, TimeSpan.FromMilliseconds(2), "files");
            trace.Count(track, "queued", TimeSpan.Zero, 7);
        }

        string picture = new TracePicture(new TraceFile(file), "a & b").ToString();
        var xml = System.Xml.Linq.XDocument.Parse(picture);
        Assert.That(
            xml.Descendants().Where(e => e.Name.LocalName == "text").Select(e => e.Value),
            Has.Member("a & b").And.Member("writer <1>").And.Some.StartsWith("open: 1,").And.Some.StartsWith("write: 1,")
                .And.Some.StartsWith("queued, up to 7"));
        File.WriteAllText(file, "{}");
        Assert.That(() => new TraceFile(file), Throws.TypeOf<LoadException>().With.Message.Contains("is no trace"));
    }
}
