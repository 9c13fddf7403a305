using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.Build.Evaluation;
using Microsoft.Build.Execution;
using Microsoft.Build.Logging;
using NUnit.Framework;
using Transport.MSBuild.Tests.Logger;
using Transport.Testing;

namespace Transport.MSBuild.Tests.Collecting;

internal sealed class BuildForwardingTests
{
    [Test]
    public async Task Each_event_of_two_worker_nodes_comes_once_and_over_the_link_of_its_node()
    {
        using var folder = new TemporaryFolder();
        var events = new ConcurrentQueue<(string Node, BuildEvent Event)>();
        await using BuildCollector collector = BuildCollector.Start(
            node => new PacketRouter().On<BuildEvent>(one => events.Enqueue((node, one))));
        folder.File("part.proj", """
            <Project><Target Name="T"><Message Text="$(Part)" Importance="High" /></Target></Project>
            """);
        string all = folder.File("all.proj", """
            <Project>
              <ItemGroup>
                <Part Include="part.proj" AdditionalProperties="Part=a" />
                <Part Include="part.proj" AdditionalProperties="Part=b" />
              </ItemGroup>
              <Target Name="T"><MSBuild Projects="@(Part)" Targets="T" BuildInParallel="true" /></Target>
            </Project>
            """);
        var plain = new ConcurrentQueue<BuildEvent>();

        Build(all, collector.ConnectionFile, plain.Enqueue);
        IReadOnlyList<CollectedBuild> ends = await collector.CloseAsync();

        Assert.That(ends.Select(end => end.End.IsClean), Is.All.True);
        Assert.That(Described(events.Select(one => one.Event)), Is.EquivalentTo(Described(plain)), "as a plain logger's");
        Assert.That(events.Where(one => one.Event.Context is { Node: > 0 }).Select(one => one.Node.Split('.')[1]),
            Is.EqualTo(events.Select(one => one.Event.Context).Where(ids => ids is { Node: > 0 }).Select(ids => $"n{ids!.Value.Node}")));
        Assert.That(events.Select(one => one.Event.Message), Is.SupersetOf(new[] { "a", "b" }));
        Assert.That(events.Select(one => one.Node.Split('.')[0]).Distinct().Count(), Is.EqualTo(1), "parts of one build");
    }

    [Test]
    public void A_path_with_a_semicolon_is_refused() =>
        Assert.That(() => BuildCollector.CreateForwarder("/tmp/a;b"), Throws.ArgumentException.With.Message.Contains("semicolon"));

    private static void Build(string project, string connectionFile, Action<BuildEvent> take)
    {
        string log = project + ".binlog";
        using var projects = new ProjectCollection(ToolsetDefinitionLocations.Default);
        using var manager = new BuildManager("forwarding");
        manager.BeginBuild(new BuildParameters(projects)
        {
            Loggers = [new BinaryLogger { Parameters = $"ProjectImports=None;LogFile={log}" }],
            ForwardingLoggers = [BuildCollector.CreateForwarder(connectionFile, "required=true;wait=20")],
            MaxNodeCount = 2,
            DisableInProcNode = true,
            EnableNodeReuse = false,
        });
        BuildResult result = manager.BuildRequest(new BuildRequestData(
            project, new Dictionary<string, string?>(), targetsToBuild: ["T"], toolsVersion: null, hostServices: null));
        manager.EndBuild();

        // Without what that logger tells itself.
        BinaryLog.Read(log, one =>
        {
            if (one.Message?.StartsWith("BinLogFilePath=", StringComparison.Ordinal) is not true
                && one.Message?.StartsWith("CurrentUICulture=", StringComparison.Ordinal) is not true)
            {
                take(one);
            }
        });
        Assert.That(result.OverallResult, Is.EqualTo(BuildResultCode.Success), result.Exception?.ToString());
    }

    /// <summary>What a build has once, by any logger: all but what MSBuild loads for a logger while that is being created.</summary>
    private static IEnumerable<string> Described(IEnumerable<BuildEvent> events) =>
        events.Where(one => one.Kind != BuildEventKind.AssemblyLoad).Select(one =>
            $"{one.Kind} {one.Ticks} {one.Message} {one.Context?.Node} {one.Context?.ProjectContext} {one.Context?.Target} "
            + $"{one.Context?.Task}");
}
