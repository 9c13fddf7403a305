using System;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Workers;

/// <summary>A main node that is asked for what it cannot do.</summary>
public sealed class MisuseTests
{
    [Test]
    public async Task A_node_name_has_its_characters([Values("", "a b", "n/1", "\u00e9")] string name)
    {
        await using var rig = new MainRig();
        ArgumentException? refused = Assert.Throws<ArgumentException>(
            () => rig.Main.StartWorker(TestHost.Start("exit", "0").With(node: name)));
        Assert.That(refused!.Message, Does.Contain($"\"{name}\""));
        Assert.That(rig.Main.Workers, Is.Empty);
    }

    [Test]
    public async Task A_main_node_that_has_ended_starts_nobody()
    {
        MainNode main = MainNode.Start(new MainNodeOptions());
        await main.DisposeAsync().ConfigureAwait(false);
        Assert.Throws<ObjectDisposedException>(() => main.StartWorker(TestHost.Start("exit", "0")));
        Assert.That(main.Workers, Is.Empty);
    }

    [Test]
    public async Task A_worker_that_runs_twice_is_told_that_its_invitation_was_used()
    {
        await using var rig = new MainRig();
        WorkerExit exit = await rig.Main.StartWorker(TestHost.Start("worker-twice")).WaitForExitAsync().Within("its end");
        Assert.That(exit.Process.ExitCode, Is.EqualTo(WorkerHost.NotAWorkerExitCode), exit.Report);
        Assert.That(exit.LastErrorLines, Has.Some.Contains("or was used already"));
    }

    /// <summary>A worker that only serves ends with 0 when it is asked to, and a router may serve several workers at a time.</summary>
    [Test]
    public async Task A_router_serves_two_links_at_once_and_takes_no_handler_any_more()
    {
        await using var rig = new MainRig();
        var router = new PacketRouter();
        WorkerProcess[] workers =
        [
            rig.Main.StartWorker(TestHost.Start("worker-serve").With(router)),
            rig.Main.StartWorker(TestHost.Start("worker-serve").With(router)),
        ];
        foreach (WorkerProcess worker in workers)
        {
            Link link = await worker.WaitForLinkAsync().Within("the link");
            Assert.That(await link.RequestAsync(NumberPacket.Type, NumberPacket.Type, 21).Within("the response"), Is.EqualTo(42));
        }

        Assert.That(() => router.OnUnknown(_ => Task.CompletedTask), Throws.InvalidOperationException.With.Message.Contains("frozen"));
        foreach (WorkerProcess worker in workers)
        {
            WorkerExit exit = await worker.StopAsync("done").Within("its end");
            Assert.That((exit.IsSuccess, exit.Process.ExitCode), Is.EqualTo((true, 0)), exit.Report);
        }
    }
}
