using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Workers;

/// <summary>A pool of real workers: who gets what, what happens to one that exits, and when the pool gives up.</summary>
public sealed class WorkerPoolTests : PoolFixture
{
    private const int InOrder = -1_000;

    private static readonly int Bound = (int)WithinExtensions.Bound.TotalMilliseconds;

    [Test]
    public async Task The_least_busy_worker_gets_the_next_request_and_a_broadcast_reaches_all()
    {
        await using WorkerPool pool = Start(3);
        await pool.WaitForWorkersAsync(pool.Status.Size).Within("all workers");
        Task<int>[] held = [.. Enumerable.Range(1, 3).Select(number => AskAsync(pool, number))];
        Assert.That(pool.Status.Waiting, Is.EqualTo(3));
        int[] reached = await Task.WhenAll(Enumerable.Range(1, 3).Select(number => pool.BroadcastAsync(NumberPacket.Type, number)));
        int[] answered = await Task.WhenAll(held).Within("the answers");
        Assert.That(reached, Is.All.EqualTo(3));
        Assert.That(answered, Is.EquivalentTo(pool.Workers.Select(worker => worker.ProcessId)), "each had one");
        Assert.That(pool.Status.Waiting, Is.Zero);
    }

    [Test]
    public async Task Round_robin_goes_around()
    {
        await using WorkerPool pool = Start(3, options => options.TakesTurns = true);
        await pool.WaitForWorkersAsync(pool.Status.Size).Within("all workers");
        var answered = new List<int>();
        for (int i = 0; i < 6; i++)
        {
            answered.Add(await AskAsync(pool, Now));
        }

        Assert.That(answered.Take(3), Is.EquivalentTo(pool.Workers.Select(worker => worker.ProcessId)));
        Assert.That(answered.Skip(3), Is.EqualTo(answered.Take(3)));
    }

    [Test]
    public async Task A_worker_thatExits_fails_its_requests_alone_and_is_replaced()
    {
        await using WorkerPool pool = Start(2);
        await pool.WaitForWorkersAsync(pool.Status.Size).Within("all workers");
        Task<int> lost = AskAsync(pool, 1), kept = AskAsync(pool, 2);
        WorkerProcess killed = pool.Workers[0], other = pool.Workers[1];
        Assert.That(killed.Kill("a test"), Is.True);
        await Task.WhenAny(lost, kept).Within("a request's end");
        Task<int> failed = lost.IsCompleted ? lost : kept, going = lost.IsCompleted ? kept : lost;
        TransportException fault = (await Assert.ThrowsAsync<TransportException>(() => failed))!;
        Assert.That(fault.Fault, Is.EqualTo(TransportFault.PeerGone));
        _ = await pool.BroadcastAsync(NumberPacket.Type, failed == lost ? 2 : 1);
        int keptBy = await going.Within("the other worker's answer");
        Assert.That(keptBy, Is.EqualTo(other.ProcessId));
        await pool.WaitForWorkersAsync(pool.Status.Size).Within("all workers");
        Assert.That(pool.Status.Restarts, Is.EqualTo(1));
        Assert.That(Exits.Select(exit => (exit.ProcessId, exit.KillReason)), Is.EqualTo(new[] { (killed.ProcessId, "a test") }));
        Assert.That(pool.Status.LastExit, Is.SameAs(Exits.Single()));
    }

    [Test]
    public async Task Killed_again_and_again_under_load_it_is_replaced_until_the_limit_and_then_the_pool_gives_up()
    {
        int most = TestHost.Own == TestHost.Net ? 20 : 5;
        var gaveUp = new TaskCompletionSource<WorkerPoolStatus>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using WorkerPool pool = Start(1, options =>
        {
            options.MaxRestarts = most;
            options.RestartWindow = TimeSpan.FromHours(1);
            options.MinBackoff = options.MaxBackoff = TimeSpan.FromMilliseconds(1);
            options.OnGaveUp = gaveUp.SetResult;
        });
        int answered = 0, failed = 0;
        var pids = new ConcurrentDictionary<int, bool>();
        Task load = Task.WhenAll(Enumerable.Range(0, 4).Select(async _ =>
        {
            while (!pool.Completion.IsCompleted)
            {
                try
                {
                    pids[await AskAsync(pool, Now)] = true;
                    Interlocked.Increment(ref answered);
                }
                catch (TransportException e) when (e.Fault is TransportFault.PeerGone or TransportFault.ConnectFailed)
                {
                    Interlocked.Increment(ref failed);
                }
            }
        }));
        for (int i = 0; i <= most; i++)
        {
            Assert.That(() => pids.Count, Is.GreaterThan(i).After(Bound, 5), $"worker {i} answers");
            Assert.That(pool.Workers.Single().Kill($"kill {i}"), Is.True);
            Assert.That(() => Exits.Count, Is.GreaterThan(i).After(Bound, 5), $"exit {i}");
        }

        WorkerPoolStatus status = await gaveUp.Task.Within("giving up");
        await pool.Completion.Within("the pool's end");
        await load.Within("the load's end");
        TestContext.Out.WriteLine($"{answered:N0} requests answered, {failed} failed in {most + 1} kills");
        using (Assert.EnterMultipleScope())
        {
            Assert.That((status.HasGivenUp, status.Restarts), Is.EqualTo((true, (long)most)));
            Assert.That(Exits.Select(exit => exit.KillReason), Is.EqualTo(Enumerable.Range(0, most + 1).Select(i => $"kill {i}")));
            TransportException none = (await Assert.ThrowsAsync<TransportException>(() => AskAsync(pool, Now)))!;
            Assert.That(none.Fault, Is.EqualTo(TransportFault.ConnectFailed));
            Assert.That(none.Message, Does.StartWith("The pool has no worker any more: ").And.Contain("killed SIGKILL"));
            Assert.That(await pool.SendAsync(NumberPacket.Type, Now), Is.EqualTo(SendResult.Closed));
        }
    }

    [Test]
    public async Task On_failure_a_clean_exit_is_not_replaced_and_another_one_is()
    {
        await using WorkerPool pool = Start(1, options => options.Restart = WorkerRestart.OnFailure);
        await pool.WaitForWorkersAsync(pool.Status.Size).Within("all workers");
        int first = await AskAsync(pool, Now);
        Assert.That(await pool.SendAsync(NumberPacket.Type, -7), Is.EqualTo(SendResult.Queued));
        Assert.That(() => Exits, Has.Count.EqualTo(1).After(Bound, 5));
        Assert.That(await AskAsync(pool, Now), Is.Not.EqualTo(first), "a request waits for the new worker");
        Assert.That(await pool.SendAsync(NumberPacket.Type, InOrder), Is.EqualTo(SendResult.Queued));
        await pool.Completion.Within("the pool's end");
        Assert.That(Exits.Select(exit => exit.IsClean), Is.EqualTo(new[] { false, true }));
        Assert.That((pool.Status.Restarts, pool.Status.HasGivenUp, pool.Status.Running), Is.EqualTo((1L, false, 0)));
    }

    [Test]
    public async Task A_program_that_cannot_be_started_is_why_requests_fail()
    {
        await using WorkerPool pool = Rig.Main.StartPool(
            new WorkerStartOptions("/no/such/program"), new WorkerPoolOptions { Size = 1, MaxRestarts = 2, MinBackoff = TimeSpan.Zero });
        TransportException fault = (await Assert.ThrowsAsync<TransportException>(() => AskAsync(pool, Now)))!;
        Assert.That(fault.Fault, Is.EqualTo(TransportFault.ConnectFailed));
        Assert.That(fault.Message, Does.Contain("/no/such/program"));
        Assert.That(pool.Status.HasGivenUp, Is.True);
        Assert.That(() => pool.WaitForWorkersAsync(1), Throws.InstanceOf<TransportException>());
        Assert.That(() => pool.WaitForWorkersAsync(2), Throws.InstanceOf<ArgumentOutOfRangeException>());
    }

    [Test]
    public async Task Stopping_does_not_wait_for_a_back_off_and_ends_those_who_wait()
    {
        await using WorkerPool pool = Start(1, options => options.MinBackoff = options.MaxBackoff = TimeSpan.FromHours(1));
        await pool.WaitForWorkersAsync(pool.Status.Size).Within("all workers");
        Assert.That(pool.Workers.Single().Kill(), Is.True);
        Assert.That(() => Exits, Has.Count.EqualTo(1).After(Bound, 5));
        TransportException late = (await Assert.ThrowsAsync<TransportException>(
            () => AskAsync(pool, Now, TimeSpan.FromMilliseconds(50))))!;
        Assert.That(late.Fault, Is.EqualTo(TransportFault.RequestTimeout));
        Assert.That(late.Message, Does.StartWith("No worker of the pool was connected within 0.05 s: "));
        using var cancel = new CancellationTokenSource();
        Task<int> cancelled = pool.RequestAsync(NumberPacket.Type, NumberPacket.Type, Now, cancellationToken: cancel.Token);
        Task<int> waiting = AskAsync(pool, Now);
        cancel.Cancel();
        Assert.That(() => cancelled, Throws.InstanceOf<OperationCanceledException>());
        await pool.StopAsync("done").Within("the stop");
        Assert.That(() => waiting, Throws.InstanceOf<TransportException>().With.Property("Fault").EqualTo(TransportFault.ConnectFailed));
        Assert.That(() => pool.Start(), Throws.InvalidOperationException);
    }

    [Test]
    public async Task Workers_stop_in_order_with_the_pool_and_a_pool_that_never_started_stops_at_once()
    {
        WorkerPool pool = Start(2);
        await pool.WaitForWorkersAsync(pool.Status.Size).Within("all workers");
        await pool.StopAsync("done").Within("the stop");
        Assert.That(Exits.Select(exit => exit.IsClean), Is.EqualTo(new[] { true, true }), string.Join("\n", Exits.Select(e => e.Report)));
        await new WorkerPool(() => throw new InvalidOperationException()).StopAsync().Within("the other stop");
    }

    [Test]
    public async Task A_clock_that_throws_ends_the_pool_and_not_the_wait_for_it()
    {
        await using var pool = new WorkerPool(
            () => throw new InvalidOperationException("no program"), new WorkerPoolOptions { Size = 2, TimeProvider = new BrokenClock() });
        pool.Start();
        await pool.Completion.Within("the end");
        Assert.That(pool.Status.LastProblem, Is.EqualTo("NotSupportedException: no timers here"));
        TransportException? none = await Assert.ThrowsAsync<TransportException>(() => pool.WaitForWorkersAsync(1).Within("the answer"));
        Assert.That(none!.Message, Does.Contain("no timers here"));
    }

    [Test]
    public async Task A_worker_is_made_ready_before_it_gets_work_and_one_that_cannot_be_is_killed()
    {
        int calls = 0;
        await using WorkerPool pool = Start(1, options => options.OnConnected = async (link, _) =>
        {
            if (Interlocked.Increment(ref calls) == 1)
            {
                throw new InvalidOperationException("no licence");
            }

            // Else the request below is never answered.
            SendResult sent = await link.SendAsync(NumberPacket.Type, 5, cancellationToken: CancellationToken.None);
            Assert.That(sent, Is.EqualTo(SendResult.Queued));
        });
        Assert.That(await AskAsync(pool, 5), Is.EqualTo(pool.Workers.Single().ProcessId));
        Assert.That(Exits.Single().KillReason, Is.EqualTo("it could not be made ready: no licence"));
        Assert.That(pool.Status.LastProblem, Does.EndWith("(killed by the main node: it could not be made ready: no licence)"));
    }

    [Test]
    public async Task A_callback_on_the_token_of_OnConnected_that_throws_costs_no_place()
    {
        var connected = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        int calls = 0;
        WorkerPool pool = Start(1, options => options.OnConnected = async (link, over) =>
        {
            if (Interlocked.Increment(ref calls) == 1)
            {
                _ = over.Register(() => throw new InvalidOperationException("on purpose"));
                connected.TrySetResult(true);
                await new TaskCompletionSource<bool>().Task.ConfigureAwait(false);   // takes no notice of the token
            }
        });
        await connected.Task.Within("the first worker");
        Assert.That(pool.Workers.Single().Kill(), Is.True);
        await pool.WaitForWorkersAsync(1).Within("another worker in its place");
        Assert.That(pool.Status.Restarts, Is.EqualTo(1));
        await pool.StopAsync("done").Within("the stop");
    }

    [Test]
    public async Task Each_start_that_fails_is_reported_with_its_cause_and_the_next_try()
    {
        var failures = new ConcurrentQueue<(string Problem, TimeSpan? NextTry)>();
        await using WorkerPool pool = Rig.Main.StartPool(new WorkerStartOptions("/no/such/program"), new WorkerPoolOptions
        {
            Size = 1, MaxRestarts = 2, MinBackoff = TimeSpan.FromMilliseconds(1),
            OnStartFailed = (problem, nextTry) => failures.Enqueue((problem, nextTry)),
        });
        await pool.Completion.Within("the end of the pool");
        Assert.That(failures.Select(failure => failure.Problem), Has.Exactly(3).Items.And.All.Contains("/no/such/program"));
        Assert.That(failures.Select(failure => failure.NextTry?.TotalMilliseconds), Is.EqualTo(new double?[] { 1, 2, null }));
    }

    [Test]
    public void Options_that_cannot_be_used_are_named_together()
    {
        var options = new WorkerPoolOptions { Size = 0, MaxRestarts = -1, MaxBackoff = TimeSpan.Zero, Restart = (WorkerRestart)9 };
        Assert.That(
            () => Rig.Main.StartPool(TestHost.Start("worker-answer"), options),
            Throws.ArgumentException.With.Message.Contains("Size = 0, allowed: 1 to 1,024").And.Message.Contains("MaxRestarts = -1")
                .And.Message.Contains("MaxBackoff = 00:00:00").And.Message.Contains("Always, OnFailure or Never"));
    }

    [Test]
    public void A_pool_names_its_workers_itself() => Assert.That(
        () => Rig.Main.StartPool(TestHost.Start("worker-answer").With(node: "n7")),
        Throws.ArgumentException.With.Message.Contains("Node = \"n7\", allowed: null"));

    private sealed class BrokenClock : TimeProvider
    {
        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            throw new NotSupportedException("no timers here");
    }
}
