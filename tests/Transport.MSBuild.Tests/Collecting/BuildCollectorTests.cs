using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.MSBuild.Tests.Collecting;

/// <summary>A collector beside builds, routers and disks that do not behave.</summary>
[NonParallelizable] // the folder of endpoints is the process's
internal sealed class BuildCollectorTests
{
    [Test]
    public async Task A_link_that_stays_open_does_not_hold_up_the_collectors_end()
    {
        BuildCollector collector = BuildCollector.Start(_ => new PacketRouter().OnUnknown(_ => Task.CompletedTask));
        Link link = await ConnectAsync(collector.ConnectionFile);
        link.Start(new PacketRouter());

        IReadOnlyList<CollectedBuild> builds = await collector.CloseAsync().Within("the end, 5 s after it was asked for");

        Assert.That(builds.Single().End.Fault, Is.EqualTo(TransportFault.Aborted));
        Assert.That((await link.Completion.Within("the other side")).IsClean, Is.False);
    }

    [Test]
    public async Task A_router_function_that_throws_costs_its_own_build_alone()
    {
        var said = new ConcurrentQueue<string>();
        int calls = 0;
        BuildCollector collector = BuildCollector.Start(
            _ => ++calls == 1 ? throw new InvalidOperationException("no router") : new PacketRouter().OnUnknown(_ => Task.CompletedTask),
            new BuildCollectorOptions { Report = said.Enqueue });
        await using (Link first = await ConnectAsync(collector.ConnectionFile))
        {
            first.Start(new PacketRouter());
            Assert.That((await first.Completion.Within("the first build's link")).IsClean, Is.False);
        }

        await using (Link second = await ConnectAsync(collector.ConnectionFile))
        {
            second.Start(new PacketRouter());
            Assert.That((await second.CloseAsync().Within("the second build's link")).IsClean, Is.True);
        }

        IReadOnlyList<CollectedBuild> builds = await collector.CloseAsync().Within("the end");
        Assert.That(builds.Select(build => (build.Node, build.End.IsClean)), Is.EqualTo(new[] { ("build", false), ("build2", true) }));
        Assert.That(said.Single(), Does.Contain("no router"));
        Assert.That(File.Exists(collector.ConnectionFile), Is.False, "its note is gone");
    }

    [Test]
    [Platform(Exclude = "Win", Reason = "a folder in use cannot be moved there")]
    public async Task An_invitation_that_could_not_be_written_is_reported_and_tried_again()
    {
        using var folder = new TemporaryFolder();
        string run = Path.Combine(folder.Path, "run"), away = Path.Combine(folder.Path, "away");
        string? before = Environment.GetEnvironmentVariable("TRANSPORT_DIR");
        Environment.SetEnvironmentVariable("TRANSPORT_DIR", run);
        try
        {
            var said = new ConcurrentQueue<string>();
            BuildCollector collector = BuildCollector.Start(
                _ => new PacketRouter().OnUnknown(_ => Task.CompletedTask), new BuildCollectorOptions { Report = said.Enqueue });
            ConnectionFile first = ConnectionFile.Read(collector.ConnectionFile);
            Directory.Move(run, away);
            await File.WriteAllTextAsync(run, "no folder: nothing can be written there");
            await using Link link = await Link.ConnectAsync(
                WireEndpoint.Parse(first.Endpoint.ToString().Replace(run, away, StringComparison.Ordinal)), first.Secret);
            link.Start(new PacketRouter());
            Assert.That(() => said, Has.Count.EqualTo(1).After(30_000, 20), "the next invitation");
            Assert.That(said.Single(), Does.StartWith("no further build can connect until this works again: "));
            File.Delete(run);
            Directory.Move(away, run);
            Assert.That(() => ConnectionFile.Read(collector.ConnectionFile).Secret.Reveal() != first.Secret.Reveal(), Is.True.After(30_000, 50));
            await using (Link second = await ConnectAsync(collector.ConnectionFile))
            {
                second.Start(new PacketRouter());
            }

            await link.CloseAsync().Within("the first build");
            Assert.That((await collector.CloseAsync().Within("the end")).Select(build => build.Node), Is.EqualTo(new[] { "build", "build2" }));
            Assert.That(said, Has.Count.EqualTo(1), "once");
        }
        finally
        {
            Environment.SetEnvironmentVariable("TRANSPORT_DIR", before);
        }
    }

    /// <summary>453 links that say nothing were 920 threads.</summary>
    [Test]
    public async Task No_more_links_are_open_than_may_be_and_the_next_is_let_in_when_one_ends()
    {
        var said = new ConcurrentQueue<string>();
        BuildCollector collector = BuildCollector.Start(
            _ => new PacketRouter().OnUnknown(_ => Task.CompletedTask), new BuildCollectorOptions { MaxLinks = 2, Report = said.Enqueue });
        await using Link first = await ConnectAsync(collector.ConnectionFile);
        first.Start(new PacketRouter());
        ConnectionFile spent = ConnectionFile.Read(collector.ConnectionFile);
        await using (Link second = await Link.ConnectAsync(spent.Endpoint, spent.Secret).Within("the second link"))
        {
            second.Start(new PacketRouter());
            Assert.That(() => said, Has.Count.EqualTo(1).After(30_000, 20));
            Assert.That(said.Single(), Does.StartWith("2 links are open, as many as may be"));
            Assert.That(ConnectionFile.Read(collector.ConnectionFile).Secret.Reveal(), Is.EqualTo(spent.Secret.Reveal()), "nobody is invited");
            await second.CloseAsync().Within("the second link's end");
        }

        Assert.That(() => ConnectionFile.Read(collector.ConnectionFile).Secret.Reveal() != spent.Secret.Reveal(), Is.True.After(30_000, 20));
        await using Link third = await Link.ConnectAsync(
            spent.Endpoint, ConnectionFile.Read(collector.ConnectionFile).Secret).Within("the third link");
        third.Start(new PacketRouter());
        await third.CloseAsync().Within("its end");
        await first.CloseAsync().Within("the first link's end");
        Assert.That((await collector.CloseAsync().Within("the end")).Select(build => build.Node),
            Is.EqualTo(new[] { "build", "build2", "build3" }));
        Assert.Throws<ArgumentOutOfRangeException>(() => BuildCollector.Start(_ => new PacketRouter(), new BuildCollectorOptions { MaxLinks = 0 }));
    }

    [Test]
    public async Task A_collector_for_one_command_is_not_found_by_others_and_names_its_processes_as_one_build()
    {
        BuildCollector collector = BuildCollector.Start(
            _ => new PacketRouter().OnUnknown(_ => Task.CompletedTask), new BuildCollectorOptions { IsForOneCommand = true });
        Assert.That(RunningNotes.Collector(), Is.Not.EqualTo(collector.ConnectionFile));
        for (int i = 0; i < 2; i++)
        {
            await using Link link = await ConnectAsync(collector.ConnectionFile);
            link.Start(new PacketRouter());
        }

        IReadOnlyList<CollectedBuild> builds = await collector.CloseAsync().Within("the end");
        Assert.That(builds.Select(build => build.Node), Is.EqualTo(new[] { "build", "build.s2" }));
    }

    /// <summary>Connects as the next build; returns once the collector has it too, which its next invitation shows.</summary>
    private static async Task<Link> ConnectAsync(string file)
    {
        ConnectionFile connection = ConnectionFile.Read(file);
        string secret = connection.Secret.Reveal();
        Link link = await Link.ConnectAsync(connection.Endpoint, connection.Secret).Within("a link");
        Assert.That(() => ConnectionFile.Read(file).Secret.Reveal() != secret, Is.True.After(30_000, 20), "the next invitation");
        return link;
    }
}
