using System;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Processes.Tests.Security;
using Transport.Testing;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Workers;

/// <summary>Which worker a refused connection is the cause of: the one whose process, or whose secret, it was, and nobody else.</summary>
public sealed class RefusalTests
{
    [Test]
    public async Task A_refused_stranger_is_not_the_cause_of_a_worker_that_crashes()
    {
        await using var rig = new MainRig();
        WorkerProcess worker = rig.Start(new WorkerStartOptions("sleep", "1000"));
        Task<TransportException?> refused = Assert.ThrowsAsync<TransportException>(
            () => Link.ConnectAsync(rig.Main.Endpoint, LinkSecret.Create()));
        Assert.That((await refused.ConfigureAwait(false))!.Code, Is.EqualTo("secret"));
        Assert.That(rig.Main.RefusedConnections, Is.EqualTo(1));
        ProcessTable.Signal(worker.ProcessId, 11);
        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        Assert.That((end.Cause, end.LinkProblem), Is.EqualTo(("killed SIGSEGV", (string?)null)));
    }

    [Test]
    public async Task A_refused_process_behind_a_wrapper_is_the_cause_of_its_worker_alone()
    {
        await using var rig = new MainRig();
        WorkerProcess other = rig.Start(new WorkerStartOptions("sleep", "1000"));
        WorkerStartOptions wrong = TestHost.Start("worker-wrong-secret");
        WorkerStartOptions wrapped = Shell.Command($"sh -c '{wrong.FileName} {string.Join(" ", wrong.Arguments)}; exit $?'; exit $?");
        WorkerExit end = await rig.End(rig.Start(wrapped)).ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo("rejected secret; exit 3"));
        other.Kill();
        Assert.That((await rig.End(other).ConfigureAwait(false)).Cause, Is.EqualTo("killed SIGKILL"));
    }

    [Test]
    public async Task A_refusal_that_showed_a_workers_secret_is_that_workers_from_any_process()
    {
        await using var rig = new MainRig();
        WorkerProcess other = rig.Start(new WorkerStartOptions("sleep", "1000"));
        using Attacker worker = await Attacker.Start(rig.Main).ConfigureAwait(false);
        using IWire wire = await WireFactory.ConnectAsync(rig.Main.Endpoint, WithinExtensions.Bound, []).ConfigureAwait(false);
        byte[] hello = Attacker.Frame(0, Attacker.Hello, RawPeer.HelloBody(worker.Secret, min: 7, max: 9));
        wire.Write(hello, 0, hello.Length);
        byte[] head = await wire.ReadExactlyAsync(10).Within("Reject").ConfigureAwait(false);
        Assert.That((head[3] << 8) | head[4], Is.EqualTo(Attacker.Reject));
        worker.Worker.Kill();
        other.Kill();
        Assert.That((await rig.End(worker.Worker).ConfigureAwait(false)).Cause, Is.EqualTo("rejected version; killed SIGKILL"));
        Assert.That((await rig.End(other).ConfigureAwait(false)).Cause, Is.EqualTo("killed SIGKILL"));
    }

    [Test]
    public async Task A_worker_that_is_killed_while_it_says_Hello_was_killed_and_no_more()
    {
        await using var rig = new MainRig();
        var refused = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        rig.Main.ConnectionRefused += (_, connection) => refused.TrySetResult(connection.Code);
        WorkerProcess worker = rig.Start("worker-half-hello");
        await rig.Lines.First(l => l.Text == "half", "half of Hello").ConfigureAwait(false);
        ProcessTable.Signal(worker.ProcessId, 9);
        Assert.That(await refused.Task.Within("the refusal").ConfigureAwait(false), Is.EqualTo("PeerGone"));
        Assert.That((await rig.End(worker).ConfigureAwait(false)).Cause, Is.EqualTo("killed SIGKILL"));
    }

    [Test]
    public async Task A_worker_that_cannot_watch_its_main_node_leaves_no_link_open()
    {
        if (TestHost.Own != TestHost.Net)
        {
            Assert.Ignore("Mono's EventSource has no listeners, so the helper cannot take the descriptors at the right moment.");
        }

        await using var rig = new MainRig();
        WorkerStartOptions start = TestHost.Start("worker-no-watch");
        WorkerProcess worker = rig.Start(Shell.Command($"ulimit -n 300; exec {start.FileName} {string.Join(" ", start.Arguments)}"));
        Link link = await worker.WaitForLinkAsync().Within("the link").ConfigureAwait(false);
        await rig.Lines.First(l => l.Text.StartsWith("no watch: ", StringComparison.Ordinal), "no watch").ConfigureAwait(false);
        Assert.That((await link.Completion.Within("the link's end").ConfigureAwait(false)).Fault, Is.EqualTo(TransportFault.PeerGone));
        worker.Kill();
        await rig.End(worker).ConfigureAwait(false);
    }
}
