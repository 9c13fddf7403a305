using System;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Tails;

/// <summary>A worker that is stopped (SIGSTOP), and one whose link ended for a fault: what becomes of its tail.</summary>
public sealed class StoppedWorkerTests
{
    /// <summary>More than one segment, so that most of it is not being written when the queue is full.</summary>
    private const long Deep = 1 << 20;

    [Promise("Worker exits", "A worker that is stopped, times out and is killed loses nothing that its tail holds.")]
    [Test]
    public async Task A_stopped_worker_that_is_silent_for_too_long_and_killed_loses_nothing_of_its_tail([Values] bool crossed)
    {
        await using var rig = new MainRig(change: options =>
        {
            options.Link.Heartbeat.PingInterval = TimeSpan.FromMilliseconds(500);
            options.Link.Heartbeat.SilenceTimeout = TimeSpan.FromSeconds(4);
            options.BrokenLinkGrace = TimeSpan.FromMilliseconds(200);
            options.TailBytes = 16 << 20;
        });
        using var run = new TailRun { Finish = worker => ProcessTable.Stop(worker.ProcessId) };
        AssertAllCame(run, await RunAsync(rig, run, crossed).ConfigureAwait(false));
    }

    [Test]
    public async Task A_stopped_worker_that_does_not_close_in_time_and_is_killed_loses_nothing_of_its_tail([Values] bool crossed)
    {
        await using var rig = new MainRig(change: options =>
        {
            options.BrokenLinkGrace = TimeSpan.FromMilliseconds(200);
            options.TailBytes = 16 << 20;
        });
        using var run = new TailRun();
        run.Finish = worker =>
        {
            ProcessTable.Stop(worker.ProcessId);
            _ = CloseAsync(worker);
        };
        AssertAllCame(run, await RunAsync(rig, run, crossed).ConfigureAwait(false));
    }

    [Test]
    public async Task After_a_fault_the_tail_is_counted_and_not_replayed([Values("HandlerFailed", "Aborted")] string fault)
    {
        await using var rig = new MainRig(change: options =>
        {
            options.BrokenLinkGrace = TimeSpan.FromMilliseconds(200);
            options.TailBytes = 16 << 20;
        });
        using var run = new TailRun();
        run.Finish = worker =>
        {
            if (fault == "HandlerFailed")
            {
                throw new InvalidOperationException("for the test");
            }

            _ = AbortAsync(worker);
        };
        WorkerExit end = await RunAsync(rig, run, crossed: false).ConfigureAwait(false);
        Assert.That(end.Link!.Fault.ToString(), Is.EqualTo(fault));
        Assert.That(end.Link.Receipt.Tail, Is.Not.Null);
        TailReport tail = end.Link.Receipt.Tail!;
        long lost = run.Missing("the seed above").Skip(1).Sum(missing => Math.Max(0, missing));
        Assert.That((tail.Packets, tail.Problem), Is.EqualTo((0L, (string?)null)));
        Assert.That(lost, Is.GreaterThan(100));

        // The packets that set entries of tables are counted too, one a lane may not be noted, and the handler of one has failed.
        Assert.That(tail.Lost, Is.InRange(lost - 1, lost + 3 + 300));
        Assert.That(end.Report, Does.Contain($"0 from the tail, {tail.Lost} lost"));
    }

    [Test]
    public async Task A_stopped_worker_is_reported_as_stopped()
    {
        await using var rig = new MainRig(change: options =>
        {
            options.Link.Heartbeat.PingInterval = TimeSpan.FromMilliseconds(200);
            options.Link.Heartbeat.StallTimeout = TimeSpan.FromSeconds(1);
        });
        WorkerProcess worker = await rig.StartConnected("worker-stay").ConfigureAwait(false);
        var reported = new TaskCompletionSource<StallReport>(TaskCreationOptions.RunContinuationsAsynchronously);
        Link link = await worker.WaitForLinkAsync().ConfigureAwait(false);
        ProcessTable.Stop(worker.ProcessId);
        link.Stalled += (_, report) => reported.TrySetResult(report);
        StallReport report = await reported.Task.Within("the report").ConfigureAwait(false);
        Assert.That((report.Kind, report.Peer), Is.EqualTo((StallKind.Peer, worker.Node)));
        Assert.That(report.ToString(), Does.Contain($"process {worker.ProcessId} is stopped (SIGSTOP)"));
        worker.Kill();
        await rig.End(worker).ConfigureAwait(false);
    }

    [Test]
    public async Task A_worker_that_is_stopped_before_it_connects_is_reported_as_stopped()
    {
        await using var rig = new MainRig(change: options => options.Link.Heartbeat.StallTimeout = TimeSpan.FromSeconds(2));
        WorkerProcess worker = rig.Start(new WorkerStartOptions("sleep", "1000"));
        ProcessTable.Stop(worker.ProcessId);
        var reported = new TaskCompletionSource<StallReport>(TaskCreationOptions.RunContinuationsAsynchronously);
        worker.Stalled += (_, report) => reported.TrySetResult(report);
        StallReport report = await reported.Task.Within("the report").ConfigureAwait(false);
        Assert.That(report.ToString(), Does.Contain($"process {worker.ProcessId} is stopped (SIGSTOP)"));
        worker.Kill();
        await rig.End(worker).ConfigureAwait(false);
    }

    private static async Task CloseAsync(WorkerProcess worker) =>
        await (await worker.WaitForLinkAsync().ConfigureAwait(false)).CloseAsync("enough", TimeSpan.FromSeconds(1)).ConfigureAwait(false);

    private static async Task AbortAsync(WorkerProcess worker) =>
        (await worker.WaitForLinkAsync().ConfigureAwait(false)).Abort("for the test");

    /// <summary>Runs a worker until its queue is full and the main node has read nothing for a while.</summary>
    private static Task<WorkerExit> RunAsync(MainRig rig, TailRun run, bool crossed)
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        return run.ToItsEnd(rig, crossed ? TestHost.Other : TestHost.Own, seed, Deep, new Random(seed).Next(1, 500), untilFull: true);
    }

    private static void AssertAllCame(TailRun run, WorkerExit end)
    {
        Assert.That(end.Cause, Is.EqualTo("Timeout; killed SIGKILL"));
        Assert.That(run.Missing("the seed above"), Has.All.LessThanOrEqualTo(0));
        TailReport tail = end.Link!.Receipt.Tail!;
        Assert.That(tail.Packets, Is.GreaterThan(100), "what was in the queue");
        Assert.That((tail.Lost, tail.Problem), Is.EqualTo((0L, (string?)null)));
        Assert.That(end.KillReason, Does.Contain("Timeout").And.Contain("stopped (SIGSTOP)"));
    }
}
