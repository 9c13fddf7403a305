using System;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Clock;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Tests.Nodes;

/// <summary>A worker whose process was killed and does not end: its exit report comes all the same.</summary>
public sealed class OverdueEndTests
{
    private const string StillRunning = "the process (pid 4711) was killed and is still running after 2 s";

    private static readonly TimeSpan Step = TimeSpan.FromSeconds(1);

    [Test]
    public async Task A_process_that_survives_its_kill_does_not_hold_up_the_stop()
    {
        using var rig = new StuckRig();
        WorkerExit end = await rig.StopAsync().ConfigureAwait(false);
        rig.AssertGivenUp(end, StillRunning);
        Assert.That(rig.Child.KilledHere, Is.True);
        Assert.That(end.LifeTime, Is.EqualTo(TimeSpan.FromSeconds(9)), "5 s to stop, 2 s to exit, 2 s without a line");
        TransportException thrown =
            (await Assert.ThrowsAsync<TransportException>(() => rig.Worker.WaitForLinkAsync()).ConfigureAwait(false))!;
        Assert.That(thrown.Message, Does.Contain(StillRunning));
    }

    [Test]
    public async Task A_process_that_survives_its_kill_does_not_hold_up_the_end_after_a_clean_link()
    {
        using var rig = new StuckRig();
        Link peer = await rig.ConnectAsync().ConfigureAwait(false);
        Link link = await rig.Worker.WaitForLinkAsync().Within("the link").ConfigureAwait(false);
        Task<WorkerExit> stopping = rig.Worker.StopAsync();
        await peer.Completion.Within("the peer's end").ConfigureAwait(false);
        await link.Completion.Within("the link's end").ConfigureAwait(false);
        WorkerExit end = await rig.AdvanceUntil(stopping).ConfigureAwait(false);
        rig.AssertGivenUp(end, StillRunning);
        Assert.That((end.Link!.IsClean, end.IsClean, end.Cause), Is.EqualTo((true, false, "status unknown")));
    }

    [Test]
    public async Task A_process_that_survives_the_kill_after_its_link_broke_does_not_hold_up_the_end()
    {
        using var rig = new StuckRig();
        Link peer = await rig.ConnectAsync().ConfigureAwait(false);
        Link link = await rig.Worker.WaitForLinkAsync().Within("the link").ConfigureAwait(false);
        peer.Abort("for the test");
        await link.Completion.Within("the link's end").ConfigureAwait(false);
        WorkerExit end = await rig.AdvanceUntil(rig.Following).ConfigureAwait(false);
        rig.AssertGivenUp(end, StillRunning);
        Assert.That(end.Link!.IsClean, Is.False);
    }

    [Test]
    public async Task Lines_of_an_exited_process_are_waited_for_while_they_arrive()
    {
        using var rig = new StuckRig();
        rig.Child.DiesOfKill = true;
        Task<WorkerExit> stopping = rig.Worker.StopAsync();
        await rig.AdvanceUntil(rig.Child.Killed).ConfigureAwait(false);
        for (int i = 0; i < 50; i++)
        {
            Assert.That(rig.TryAdvance(stopping, () => rig.Say("a line")), Is.True, $"somebody waits, after {i} lines");
        }

        Assert.That(stopping.IsCompleted, Is.False);
        rig.Child.End(ProcessExit.FromWaitStatus(9));
        WorkerExit end = await stopping.Within("the end").ConfigureAwait(false);
        Assert.That((end.Cause, end.OutputFault), Is.EqualTo(("killed SIGKILL", (Exception?)null)));
        Assert.That(end.KillReason, Does.StartWith("it had not ended 5 s after it was asked to stop"));
    }

    [Test]
    public async Task Lines_that_never_cease_do_not_hold_up_the_end_of_a_process_that_survives_its_kill()
    {
        using var rig = new StuckRig();
        WorkerExit end = await rig.StopAsync(() => rig.Say("of a grandchild that has its pipes")).ConfigureAwait(false);
        rig.AssertGivenUp(end, StillRunning);
    }

    [Test]
    public async Task Output_that_does_not_end_with_its_process_does_not_hold_up_the_stop()
    {
        using var rig = new StuckRig();
        rig.Child.DiesOfKill = true;
        WorkerExit end = await rig.StopAsync().ConfigureAwait(false);
        rig.AssertGivenUp(end, "the process (pid 4711) has ended, but its output could not be read to its end");
    }

    /// <summary>A worker whose process is a fake that does not end, and a clock that stands still.</summary>
    private sealed class StuckRig : IDisposable
    {
        private readonly WireRig _wires = WireKinds.Open(WireKinds.Memory);
        private readonly OutputSink _sink = new(null);
        private readonly LinkListener _listener;
        private readonly LinkTicket _ticket;

        public StuckRig()
        {
            var hour = TimeSpan.FromHours(1);
            MainNodeOptions options = new MainNodeOptions
            {
                Link = { TimeProvider = Clock, Heartbeat = { StallTimeout = hour } },
                ConnectTimeout = hour,
            }.CheckedCopy();
            _listener = new LinkListener(_wires.Listener, options.Link);
            _ticket = _listener.Expect("n1");
            Worker = new WorkerProcess("stuck", new ChildProcess(Child, _sink), _ticket, tail: null, options);
            Following = FollowAsync();
        }

        public ManualClock Clock { get; } = new();

        public StuckChild Child { get; } = new();

        public WorkerProcess Worker { get; }

        public Task<WorkerExit> Following { get; }

        public void Say(string line) => _sink.Take(new OutputLine(line, IsError: false, IsPartial: false));

        public async Task<Link> ConnectAsync()
        {
            IWire wire = await _wires.ConnectAsync().Within("the wire").ConfigureAwait(false);
            LinkOptions options = new LinkOptions { Node = "n1" }.WithPatience();
            Task<Link> connecting = LinkConnector.ConnectAsync(wire, _ticket.Secret, options);
            Link peer = await connecting.Within("the peer's link").ConfigureAwait(false);
            peer.Start(new PacketRouter());
            return peer;
        }

        public Task<WorkerExit> StopAsync(Action? step = null) => AdvanceUntil(Worker.StopAsync(), step);

        /// <summary>Moves the clock until the task completes.</summary>
        public async Task<T> AdvanceUntil<T>(Task<T> task, Action? step = null)
        {
            while (TryAdvance(task, step))
            {
            }

            return await task.Within("what comes by the clock").ConfigureAwait(false);
        }

        /// <summary>Moves the clock a step, once somebody waits for it.</summary>
        /// <returns>False if the task has completed, or nobody waits.</returns>
        public bool TryAdvance(Task task, Action? step = null)
        {
            // Without a link, one timer waits for that all the time.
            int idle = _ticket.WaitForLinkAsync().IsCompleted ? 0 : 1;
            if (!SpinWait.SpinUntil(() => Clock.Armed > idle || task.IsCompleted, WithinExtensions.Bound) || task.IsCompleted)
            {
                return false;
            }

            step?.Invoke();
            Clock.Advance(Step);
            return true;
        }

        public void AssertGivenUp(WorkerExit end, string why)
        {
            TestContext.Out.WriteLine(end);
            Assert.That(end.Process, Is.SameAs(ProcessExit.Unknown));
            Assert.That(end.OutputFault?.Message, Is.EqualTo(why));
            Assert.That(end.ToString().Split('\n')[0], Does.Contain(why), "the first line says so too");
            Assert.That((end.IsClean, end.KilledByMainNode), Is.EqualTo((false, false)));
        }

        public void Dispose()
        {
            Child.End(ProcessExit.Unknown);
            _wires.Dispose();
        }

        private async Task<WorkerExit> FollowAsync()
        {
            WorkerExit end = await Worker.FollowAsync(new PacketRouter()).ConfigureAwait(false);
            Worker.Complete(end);
            return end;
        }
    }

    private sealed class StuckChild : IChild
    {
        private readonly TaskCompletionSource<ProcessExit> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource<bool> _killed = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public int ProcessId => 4711;

        public string Executable => "/bin/stuck";

        public bool KilledHere => _killed.Task.IsCompleted;

        public bool TerminatedHere => true;

        /// <summary>Gets or sets a value indicating whether SIGKILL ends the process; its output goes on all the same.</summary>
        public bool DiesOfKill { get; set; }

        public bool HasExited => DiesOfKill && KilledHere;

        public Task<ProcessExit> Ended => _ended.Task;

        public Task<bool> Killed => _killed.Task;

        public bool Kill(bool atOnce)
        {
            bool sent = !HasExited;
            if (atOnce)
            {
                _killed.TrySetResult(true);
            }

            return sent;
        }

        public bool Interrupt() => false;

        public void LookAtMemory(bool moved)
        {
        }

        public void End(ProcessExit end) => _ended.TrySetResult(end);
    }
}
