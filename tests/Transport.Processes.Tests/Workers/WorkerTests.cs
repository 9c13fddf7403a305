using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Clock;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Workers;

/// <summary>A main node and its workers: everything arrives, and every end is reported with its cause.</summary>
public sealed class WorkerTests
{
    [TestCase(true)]
    [TestCase(false)]
    public async Task A_workers_work_belongs_to_the_trace_in_which_it_was_started(bool isTrace)
    {
        await using var rig = new MainRig();
        using Activity root = new Activity("root").SetIdFormat(ActivityIdFormat.W3C).Start();
        WorkerStartOptions start = TestHost.Start("worker-trace");
        if (!isTrace)
        {
            start.Environment["TRACEPARENT"] = "nonsense";
        }

        WorkerExit exit = await rig.End(rig.Start(start));
        Assert.That(exit.IsClean, Is.True, exit.Report);
        string expected = isTrace ? $"{root.TraceId} {root.Id}" : "00000000000000000000000000000000 ";
        Assert.That(rig.Lines.All().Select(line => line.Text), Does.Contain(expected));
    }

    private const int Many = 20_000;

    [Test]
    public async Task Everything_arrives_over_all_wires_and_both_runtimes(
        [Values("unix", "pipe", "inherited")] string wire, [Values] bool crossed)
    {
        await using var rig = new MainRig(wire);
        WorkerExit end = await rig.End(rig.Start(TestHost.StartOn(crossed ? TestHost.Other : TestHost.Own, "worker-send", $"{Many}")))
            .ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo("clean"));
        Assert.That(end.IsClean, Is.True);
        Assert.That(end.Node, Is.EqualTo("n1"));
        Assert.That(end.Link!.Receipt.Received, Is.EqualTo(Many));
        Assert.That(end.Link.Receipt.PeerSent, Is.EqualTo(Many));
        Assert.That(rig.Lines.Of(isError: false), Is.EqualTo(new[] { $"clean sent {Many} acknowledged {Many}" }));
        rig.AssertNumbers(Many);
    }

    [TestCase("worker-leave", 0, "PeerGone; exit 0")]
    [TestCase("worker-leave", 3, "exit 3")]
    [TestCase("worker-leave", 137, "exit 137")]
    [TestCase("worker-kill", 9, "killed SIGKILL")]
    [TestCase("worker-kill", 15, "killed SIGTERM")]
    public async Task Exit_is_reported_with_its_cause_and_nothing_written_is_lost(string mode, int argument, string cause)
    {
        await using var rig = new MainRig();
        WorkerExit end = await rig.End(rig.Start(mode, "1000", $"{argument}")).ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo(cause));
        Assert.That(end.Connected, Is.True);
        Assert.That(end.LastErrorLines, Is.EqualTo(new[] { mode == "worker-kill" ? "last output" : "leaving without goodbye" }));
        Assert.That(end.Link!.Fault, Is.EqualTo(TransportFault.PeerGone));
        Assert.That(end.Link.Receipt.PeerSent, Is.Null);
        Assert.That(rig.Main.Workers, Is.Empty);
        rig.AssertNumbers(1000);
    }

    [Promise("Worker exits", "Packets written to the wire before a worker exits are received, in order.")]
    [Test]
    public async Task Worker_that_dies_right_after_its_packets_loses_none()
    {
        await using var rig = new MainRig();
        for (int round = 1; round <= 25; round++)
        {
            WorkerExit end = await rig.Start("worker-kill", "20", "9").WaitForExitAsync()
                .Within($"the end in round {round}").ConfigureAwait(false);
            Assert.That($"{end.Node} {end.Cause} {end.Link?.Receipt.Received}", Is.EqualTo($"n{round} killed SIGKILL 20"));
        }
    }

    [Test]
    public async Task Worker_behind_a_wrapper_is_followed_too()
    {
        await using var rig = new MainRig();
        WorkerStartOptions worker = TestHost.Start("worker-send", "10");
        WorkerExit end = await rig.End(rig.Start(Shell.Command($"{worker.FileName} {string.Join(" ", worker.Arguments)}; exit 6")))
            .ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo("exit 6"));
        rig.AssertNumbers(10);
    }

    [Test]
    public async Task Program_that_never_connects_is_reported_by_its_exit_code()
    {
        await using var rig = new MainRig();
        WorkerProcess worker = rig.Start(Shell.Command("echo no idea >&2; exit 7"));
        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo("exit 7"));
        Assert.That(end.Link, Is.Null);
        Assert.That(end.LastErrorLines, Is.EqualTo(new[] { "no idea" }));
        TransportException thrown = (await Assert.ThrowsAsync<TransportException>(() => worker.WaitForLinkAsync()).ConfigureAwait(false))!;
        Assert.That(thrown.Fault, Is.EqualTo(TransportFault.ConnectFailed));
        Assert.That(thrown.Message, Does.Contain("n1").And.Contain($"{worker.ProcessId}").And.Contain("exit 7"));
    }

    [Test]
    public async Task Worker_that_does_not_connect_in_time_is_killed_and_named()
    {
        var clock = new ManualClock();
        TimeSpan usual = new MainNodeOptions().ConnectTimeout;
        await using var rig = new MainRig(change: options => (options.Link.TimeProvider, options.ConnectTimeout) = (clock, usual));
        WorkerProcess worker = rig.Start(new WorkerStartOptions("sleep", "1000"));
        clock.Advance(TimeSpan.FromSeconds(29.9));
        Assert.That(worker.WaitForExitAsync().IsCompleted, Is.False);
        clock.Advance(TimeSpan.FromSeconds(0.2));
        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo("HandshakeTimeout; killed SIGKILL"));
        Assert.That(end.LifeTime, Is.InRange(TimeSpan.FromSeconds(30), TimeSpan.FromSeconds(30.2)));
        TransportException thrown = (await Assert.ThrowsAsync<TransportException>(() => worker.WaitForLinkAsync()).ConfigureAwait(false))!;
        Assert.That(thrown.Message, Does.Contain("n1").And.Contain("30 s"));
    }

    [TestCase("worker-wrong-secret", "rejected secret; exit 3")]
    [TestCase("worker-garbage", "FrameCorrupt")]
    public async Task Refused_connection_is_the_cause_of_its_worker(string mode, string cause)
    {
        await using var rig = new MainRig();
        WorkerExit end = await rig.End(rig.Start(mode)).ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo(cause));
        Assert.That(end.Connected, Is.False);
        Assert.That(rig.Main.RefusedConnections, Is.EqualTo(1));
    }

    [Promise("Trust", "A secret appears on no command line and is not inherited by child processes.")]
    [Test]
    public async Task Secret_is_neither_on_the_command_line_nor_inherited()
    {
        await using var rig = new MainRig();
        WorkerProcess worker = await rig.StartConnected("worker-stay").ConfigureAwait(false);
        string commandLine = File.ReadAllText($"/proc/{worker.ProcessId}/cmdline");
        Assert.That(commandLine, Does.Contain("worker-stay").And.Not.Contain("TRANSPORT").And.Not.Match("[0-9a-f]{64}"));

        WorkerExit end = await rig.End(rig.Start("worker-environment")).ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo("clean"));
        string said = string.Join("\n", rig.Lines.Of(isError: false));
        Assert.That(said, Does.Contain("PATH=").And.Contain("started by native code:").And.Contain("still a worker: False"));
        Assert.That(said, Does.Not.Match("[0-9a-f]{64}"));
        Assert.That(said.Replace("own block:", "|").Split('|')[0],
            Does.Not.Contain("TRANSPORT_ENDPOINT").And.Not.Contain("TRANSPORT_SECRET"));
        Assert.That(said, Does.Not.Contain(rig.Main.Endpoint.Address));
    }

    [Test]
    public async Task Stop_asks_and_an_ordinary_worker_ends_cleanly()
    {
        await using var rig = new MainRig();
        WorkerProcess worker = await rig.StartConnected("worker-stay").ConfigureAwait(false);
        WorkerExit end = await worker.StopAsync("enough").Within("the stop").ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo("clean"));
        Assert.That(rig.Lines.Of(isError: false), Does.Contain("ended: enough"));
    }

    [Test]
    public async Task What_a_worker_sends_while_it_stops_arrives()
    {
        await using var rig = new MainRig();
        WorkerProcess worker = await rig.StartConnected("worker-finish", "100").ConfigureAwait(false);
        WorkerExit end = await worker.StopAsync("enough").Within("the stop").ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo("clean"), end.Report);
        rig.AssertNumbers(100);
        Assert.That((end.PacketsLost, end.AllPacketsHandled), Is.EqualTo(((long?)0, true)));
    }

    [Test]
    public async Task A_worker_that_never_finishes_is_killed_after_its_time_and_what_it_sent_is_there()
    {
        await using var rig = new MainRig();
        WorkerProcess worker = await rig.StartConnected("worker-finish", "-1").ConfigureAwait(false);
        WorkerExit end = await worker.StopAsync("enough", TimeSpan.FromMilliseconds(300)).Within("the stop").ConfigureAwait(false);
        Assert.That(end.KillReason, Does.StartWith("it had not ended 0.3 s after it was asked to stop (enough)"), end.Report);
        rig.AssertNumbers(1);
        Assert.That(end.AllPacketsHandled, Is.True, end.Report);
    }

    /// <summary>Who waited for the end of a worker that could not be followed any more waited forever.</summary>
    [Test]
    public async Task A_worker_that_cannot_be_followed_any_more_has_an_end_that_says_why()
    {
        var clock = new ClockWithoutDate();
        await using var rig = new MainRig(change: options => options.Link.TimeProvider = clock);
        WorkerProcess worker = await rig.StartConnected("worker-stay").ConfigureAwait(false);
        clock.IsBroken = true;
        Assert.That(worker.Kill(), Is.True);
        WorkerExit end = await worker.WaitForExitAsync().Within("the end").ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo("the main node could not follow it: no date"));
        Assert.That((end.AllPacketsHandled, end.OutputFault?.Message), Is.EqualTo((false, "no date")), end.Report);
        Assert.That(rig.Main.Workers, Is.Empty);
    }

    [Test]
    public async Task A_stop_that_is_cancelled_kills_at_once_and_what_was_sent_is_there()
    {
        await using var rig = new MainRig();
        WorkerProcess worker = await rig.StartConnected("worker-finish", "-1").ConfigureAwait(false);
        using var cancel = new CancellationTokenSource();
        rig.Received = _ => cancel.Cancel();
        Task<WorkerExit> stopping = worker.StopAsync("enough", Timeout.InfiniteTimeSpan, cancel.Token);
        WorkerExit end = await stopping.Within("the stop").ConfigureAwait(false);
        Assert.That(end.KillReason, Is.EqualTo("it was asked to stop, and waiting for that was cancelled (enough)"), end.Report);
        rig.AssertNumbers(1);
        Assert.That(end.AllPacketsHandled, Is.True, end.Report);
    }

    [Test]
    public async Task Stop_kills_what_does_not_end()
    {
        await using var rig = new MainRig();
        WorkerProcess worker = rig.Start("ignore-term");
        await rig.Lines.First(l => l.Text == "deaf", "deaf").ConfigureAwait(false);
        WorkerExit end = await worker.StopAsync(timeout: TimeSpan.FromMilliseconds(200)).Within("the stop").ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo("killed SIGKILL"));
    }

    /// <summary>The worker stands still for longer than the least time that a link gets for its close.</summary>
    [Test]
    public async Task A_stop_without_a_deadline_leaves_the_link_all_the_time_it_needs()
    {
        var clock = new ManualClock();
        await using var rig = new MainRig(change: options => options.Link.TimeProvider = clock);
        WorkerProcess worker = await rig.StartConnected("worker-stay").ConfigureAwait(false);
        ProcessTable.Stop(worker.ProcessId);
        Task<WorkerExit> stopping = worker.StopAsync("enough", Timeout.InfiniteTimeSpan);
        clock.Advance(TimeSpan.FromSeconds(1));
        ProcessTable.Signal(worker.ProcessId, 18);
        Assert.That((await stopping.Within("the stop").ConfigureAwait(false)).Cause, Is.EqualTo("clean"));
    }

    [Test]
    public async Task Worker_that_runs_on_after_its_link_broke_is_killed()
    {
        await using var rig = new MainRig(change: options => options.BrokenLinkGrace = TimeSpan.FromMilliseconds(200));
        WorkerProcess worker = await rig.StartConnected("worker-no-goodbye").ConfigureAwait(false);
        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo("PeerGone; killed SIGKILL"));
    }

    [Test]
    public async Task Dispose_leaves_no_process_and_no_socket()
    {
        var rig = new MainRig();
        WorkerProcess[] workers = [await rig.StartConnected("worker-stay").ConfigureAwait(false), rig.Start("stay"),
            rig.Start(new WorkerStartOptions("sleep", "1000"))];
        await rig.DisposeAsync().AsTask().Within("disposing").ConfigureAwait(false);
        Assert.That(workers.All(w => w.WaitForExitAsync().IsCompleted), Is.True);
        Assert.That(File.Exists(rig.Main.Endpoint.Address), Is.False);
        Assert.Throws<ObjectDisposedException>(() => rig.Start("stay"));
        await rig.DisposeAsync().AsTask().Within("disposing again").ConfigureAwait(false);
    }

    [Test]
    public async Task Several_main_nodes_and_many_workers_are_distinguished()
    {
        await using var first = new MainRig();
        await using var second = new MainRig("pipe", options => options.NodePrefix = "other-");
        WorkerProcess[] workers = [first.Start("worker-send", "100"), first.Start("worker-send", "100"), second.Start("worker-send", "100"),
            second.Start("worker-leave", "100", "5")];
        WorkerExit[] ends = await Task.WhenAll(workers.Select(w => w.WaitForExitAsync())).Within("all ends").ConfigureAwait(false);
        Assert.That(ends.Select(e => $"{e.Node} {e.Cause}"),
            Is.EqualTo(new[] { "n1 clean", "n2 clean", "other-1 clean", "other-2 exit 5" }));
        Assert.That(first.Numbers, Has.Count.EqualTo(200));
        Assert.That(second.Numbers, Has.Count.EqualTo(200));
    }

    [Test]
    public async Task Lines_and_packets_say_which_worker_they_are_of()
    {
        await using var rig = new MainRig();
        var nodes = new System.Collections.Concurrent.ConcurrentQueue<string>();
        WorkerStartOptions start = TestHost.Start("worker-send", "1");
        start.Output = line => nodes.Enqueue("line of " + line.Node);
        start.Router.OnUnknown(packet =>
        {
            nodes.Enqueue("packet of " + packet.Context.Node);
            return Task.CompletedTask;
        });
        await Task.WhenAll(Enumerable.Range(1, 2).Select(_ => rig.End(rig.Main.StartWorker(start)))).ConfigureAwait(false);
        Assert.That(nodes, Is.SupersetOf(new[] { "packet of n1", "packet of n2" }));
    }

    [Test]
    public async Task A_worker_that_takes_long_to_connect_is_reported_when_it_does_and_when_it_has()
    {
        using var folder = new TestFolder();
        string go = System.IO.Path.Combine(folder.Path, "go");
        var clock = new ManualClock();
        await using var rig = new MainRig(
            change: options => (options.Link.TimeProvider, options.Link.Heartbeat.StallTimeout) = (clock, TimeSpan.FromMilliseconds(200)));
        WorkerStartOptions worker = TestHost.Start("worker-send", "3");
        WorkerProcess late = rig.Start(
            Shell.Command($"while [ ! -e {go} ]; do sleep 0.05; done; exec {worker.FileName} {string.Join(" ", worker.Arguments)}"));
        var stalls = new System.Collections.Concurrent.ConcurrentQueue<StallReport>();
        late.StallEnded += (_, e) => stalls.Enqueue(e);
        late.Stalled += (_, report) =>
        {
            stalls.Enqueue(report);
            System.IO.File.WriteAllText(go, string.Empty);
            throw new InvalidOperationException("of the caller's");
        };
        Assert.That(System.Threading.SpinWait.SpinUntil(() => clock.Armed > 0, WithinExtensions.Bound), Is.True);
        clock.Advance(TimeSpan.FromMilliseconds(200));
        WorkerExit end = await rig.End(late).ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo("clean"));
        Assert.That(stalls.Select(s => (s.Kind, s.Peer, s.IsOver, s.LinkEnded)),
            Is.EqualTo(new[] { (StallKind.Connecting, "n1", false, false), (StallKind.Connecting, "n1", true, false) }));
        Assert.That(stalls.Select(s => s.ToString()),
            Has.Exactly(1).Contains("n1 has not connected 0.").And.Exactly(1).Contains("n1 has connected, "));
    }

    /// <summary>Only what follows a worker asks for the date.</summary>
    private sealed class ClockWithoutDate : TimeProvider
    {
        public bool IsBroken { get; set; }

        public override DateTimeOffset GetUtcNow() => IsBroken ? throw new InvalidOperationException("no date") : base.GetUtcNow();
    }
}
