using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading.Tasks;
using Microsoft.Build.Framework;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Links;

namespace Transport.MSBuild.Tests.Logger;

internal sealed class TransportForwarderTests
{
    [Test]
    public async Task Eight_forwarders_that_connect_at_once_are_parts_of_one_build()
    {
        var parts = new List<string>();
        await using BuildCollector collector = BuildCollector.Start(part =>
        {
            lock (parts)
            {
                parts.Add(part);
            }

            return new PacketRouter().OnUnknown(static _ => Task.CompletedTask);
        });
        string parameters = $"connect={collector.ConnectionFile};build=b1;wait=20";
        ForwarderNode[] nodes = await Task.WhenAll(Enumerable.Range(1, 8).Select(id => Task.Run(() => new ForwarderNode(id, parameters))));

        Array.ForEach(nodes, node => node.Shutdown());
        IReadOnlyList<CollectedBuild> ends = await collector.CloseAsync();

        Assert.That(nodes.SelectMany(node => node.Messages), Is.Empty);
        Assert.That(ends.Select(end => end.End.IsClean), Is.All.True);
        string build = parts[0].Split('.')[0];
        Assert.That(parts, Is.EquivalentTo(Enumerable.Range(1, 8).Select(id => $"{build}.n{id}")));
        Assert.That(ends.Select(end => end.Node), Is.EquivalentTo(parts));
    }

    [Test]
    public void A_node_without_a_collector_hands_its_events_to_MSBuild_and_says_why()
    {
        using var folder = new TemporaryFolder();
        var node = new ForwarderNode(3, $"connect={Path.Combine(folder.Path, "none")};build=b1");

        node.Raise(new BuildStartedEventArgs("starts", string.Empty));
        node.Raise(new BuildMessageEventArgs("built", null, "test", MessageImportance.High));
        node.Shutdown();
        node.Shutdown();   // as MSBuild does

        string?[] messages = [.. node.Messages];
        Assert.That(messages, Has.Length.EqualTo(2));
        Assert.That(messages[0], Does.StartWith("node 3: its events go through MSBuild: ").And.Contain("none"));
        Assert.That(messages[1], Is.EqualTo("built"));
    }

    [Test]
    public async Task What_a_node_has_lost_fails_a_build_that_requires_all_its_events()
    {
        await using BuildCollector collector = BuildCollector.Start(_ => new PacketRouter().OnUnknown(static _ => Task.CompletedTask));
        string parameters = $"connect={collector.ConnectionFile};build=b1;required=true";
        var main = new TransportLogger { Parameters = parameters };
        var source = DispatchProxy.Create<IEventSource4, EventSourceProxy>();
        main.Initialize(source);
        var node = new ForwarderNode(2, parameters);

        node.Raise(new BuildMessageEventArgs("before", null, "test", MessageImportance.High));
        node.Raise(new TaskParameterEventArgs(
            TaskParameterMessageKind.TaskInput, "Fruit", new UnreadableList(), true, DateTime.UnixEpoch));
        node.Shutdown();
        foreach (object one in node.Redirected)
        {
            ((EventSourceProxy)(object)source).Raise(this, one);   // what MSBuild does with them
        }

        LoggerException? lost = Assert.Throws<LoggerException>(main.Shutdown);
        Assert.That(lost!.ErrorCode, Is.EqualTo(TransportLogger.EventsLostCode));
        Assert.That(lost.Message, Does.StartWith("Transport logger: node 2: 1 of 2 build events did not reach the collector ("));
    }

    [Test]
    public void An_MSBuild_that_drops_forwarders_is_named_once_and_none_of_its_events_is_lost()
    {
        var lines = new List<string>();
        var watch = new ForwarderWatch(lines.Add);
        var ofNode = new BuildMessageEventArgs("built", null, "test", MessageImportance.High)
        {
            BuildEventContext = new BuildEventContext(2, 1, 1, 1),
        };

        BuildEventArgs[] events = [new BuildStartedEventArgs("starts", string.Empty), ofNode, ofNode];
        bool[] reports = [.. events.Select(watch.Takes)];

        Assert.That(reports, Is.All.False);
        Assert.That(lines, Has.Count.EqualTo(1));
        Assert.That(lines[0], Does.Contain("drops forwarders"));
    }
}
