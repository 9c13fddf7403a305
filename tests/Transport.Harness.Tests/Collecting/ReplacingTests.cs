using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Collecting;
using BuildHarness.Summary;
using NUnit.Framework;
using Transport;
using Transport.Testing.Wires;

namespace BuildHarness.Tests.Collecting;

/// <summary>A collection in place of an earlier one: what has not changed is taken over from it, and nobody else's files are
/// touched.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class ReplacingTests
{
    private static readonly DateTime Time = new(2020, 1, 2, 3, 4, 5, 678, DateTimeKind.Utc);

    [Test]
    public async Task What_is_as_it_was_is_taken_over_and_what_is_not_is_new()
    {
        await using var rig = new CollectRig(prepare: Earlier);
        string Now(string path) => Path.Combine(rig.Target, path);
        (ulong, ulong) same = FileStatus.IdentityOf(Now("A/same")), other = FileStatus.IdentityOf(Now("A/other")),
            later = FileStatus.IdentityOf(Now("A/later"));
        (Link link, OutputSender sender) = await rig.ConnectAsync("n1");
        rig.Collection.Begin("n1", rig.Projects[0]);
        await CollectRig.SendAsync(sender, link, 0, Output(rig, "same", "as it was"), Output(rig, "other", "AS IT WAS"),
            Output(rig, "later", "as it was", Time.AddSeconds(1)), Output(rig, "new", "as it was")).Within("the outputs");
        rig.Collection.Begin("n1", rig.Projects[1]);
        await CollectRig.SendAsync(sender, link, 1).Within("the outputs");
        CollectionSummary reported = await rig.Collection.PublishAsync(default).Within("the collection");

        Assert.That(rig.Published(), Is.EqualTo(new[] { "A/later=as it was", "A/new=as it was", "A/other=AS IT WAS", "A/same=as it was" }));
        Assert.That(reported.Projects.Select(p => (p.Files, p.Bytes)), Is.EqualTo(new[] { (4L, 36L), (0L, 0L) }));
        Assert.That(FileStatus.IdentityOf(Now("A/same")), Is.EqualTo(same), "the file itself");
        Assert.That(FileStatus.IdentityOf(Now("A/other")), Is.Not.EqualTo(other));
        Assert.That(FileStatus.IdentityOf(Now("A/later")), Is.Not.EqualTo(later));
        Assert.That(Mono.Unix.Native.Syscall.stat(Now("A/same"), out Mono.Unix.Native.Stat status) == 0 ? status.st_nlink : 0,
            Is.EqualTo(1), "the earlier one is gone");
    }

    [Test]
    public async Task A_collection_that_was_moved_away_meanwhile_shares_nothing()
    {
        await using var rig = new CollectRig(prepare: Earlier);
        (Link link, OutputSender sender) = await rig.ConnectAsync("n1");
        rig.Collection.Begin("n1", rig.Projects[0]);
        await CollectRig.SendAsync(sender, link, 0, Output(rig, "same", "as it was")).Within("the outputs");
        rig.Collection.Begin("n1", rig.Projects[1]);
        await CollectRig.SendAsync(sender, link, 1).Within("the outputs");
        Directory.Move(rig.Target, rig.Target + "-kept");
        Earlier(rig.Target);

        HarnessException? fault = await Assert.ThrowsAsync<HarnessException>(() => rig.Collection.PublishAsync(default));
        Assert.That(fault!.Message, Does.EndWith("something else has taken its place meanwhile."));
        Assert.That(Directory.EnumerateFiles(Path.Combine(rig.Target, "A")).Count(), Is.EqualTo(3));
    }

    private static void Earlier(string target)
    {
        Directory.CreateDirectory(Path.Combine(target, "A"));
        File.WriteAllText(Path.Combine(target, CollectionTarget.Marker), "earlier");
        foreach (string name in new[] { "same", "other", "later" })
        {
            string path = Path.Combine(target, "A", name);
            File.WriteAllText(path, "as it was");
            File.SetLastWriteTimeUtc(path, Time);
        }
    }

    private static OutputItem Output(CollectRig rig, string path, string text, DateTime? time = null)
    {
        OutputItem output = rig.Output(path, text);
        File.SetLastWriteTimeUtc(output.FullPath, time ?? Time);
        return output;
    }
}
