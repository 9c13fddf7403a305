using System;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Building;
using BuildHarness.Packets;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport;
using Transport.MSBuild;
using Transport.Testing.Wires;

namespace BuildHarness.Tests.Building;

[TestFixture]
[Platform(Include = "Linux")]
internal sealed class WorkerFleetTests
{
    [Test]
    public async Task Workers_are_added_listed_and_stopped_on_several_threads_at_once()
    {
        const int Threads = 3, Each = 3;
        var program = new WorkerStartOptions("/bin/sleep", ["60"]) { OwnProcessGroup = true };
        await using var fleet = WorkerFleet.Start(
            WorkerFleet.Builds, new MainNodeOptions(), (_, _) => { }, (_, _) => { }, _ => { }, storeOf: null, program: program);
        using var added = new CancellationTokenSource();
        Task[] readers = [StartReading(stops: true), StartReading(stops: false)];
        Task[] writers = [.. Enumerable.Range(0, Threads).Select(_ => Task.Run(Add))];
        try
        {
            await Task.WhenAll(writers).Within("the workers' start");
        }
        finally
        {
            await added.CancelAsync();
        }

        await Task.WhenAll(readers).Within("the readers");
        string[] names = [.. Enumerable.Range(1, Threads * Each).Select(i => $"n{i}")];
        Assert.That(fleet.Nodes.Select(n => n.Id), Is.EquivalentTo(names), "none is lost");
        fleet.KillAll();
        await fleet.EndAsync(TimeSpan.FromSeconds(30)).Within("the workers' end");

        void Add()
        {
            for (int i = 0; i < Each; i++)
            {
                fleet.Add();
            }
        }

        Task StartReading(bool stops) =>
            Task.Factory.StartNew(() => Read(stops), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

        void Read(bool stops)
        {
            int before = 0;
            while (!added.IsCancellationRequested)
            {
                int now = 0;
                foreach (FleetNode node in fleet.Nodes)
                {
                    Assert.That(node.Worker, Is.Not.Null);
                    now++;
                }

                Assert.That(now, Is.GreaterThanOrEqualTo(before), "a list only grows");
                before = now;
                if (stops)
                {
                    fleet.StopAll(StopWork.Done);
                }
            }
        }
    }
}
