using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics.Metrics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Workers;

/// <summary>A pool's places, stops on purpose, and how much one worker gets.</summary>
public sealed class PoolLimitTests : PoolFixture
{
    private const int Exit7 = -7;

    /// <summary>It waited for ever once one place was given up and another one still filled.</summary>
    [Test]
    public async Task Waiting_for_more_workers_than_there_will_be_fails()
    {
        await using WorkerPool pool = Start(2, options => options.Restart = WorkerRestart.Never);
        await pool.WaitForWorkersAsync(2).Within("both");
        Link one = await pool.Workers[0].WaitForLinkAsync();
        Assert.That(await one.SendAsync(NumberPacket.Type, Exit7), Is.EqualTo(SendResult.Queued));
        await Wait.UntilAsync(() => !Exits.IsEmpty, "one exits");
        TransportException? fault = await Assert.ThrowsAsync<TransportException>(() => pool.WaitForWorkersAsync(2).Within("the answer"));
        Assert.That(fault!.Fault, Is.EqualTo(TransportFault.ConnectFailed));
        Assert.That(fault.Message, Does.StartWith("The pool keeps 1 of its 2 workers, so there will not be 2: "));
        await pool.WaitForWorkersAsync(1).Within("the other one is there");
    }

    /// <summary>Found by a day's round: each worker was given its only request in the moment in which it connected, and who looked later saw
    /// none. So they waited as long as there were requests.</summary>
    [Test]
    public async Task Who_waits_for_a_worker_or_sends_goes_on_though_each_worker_is_taken_as_it_connects()
    {
        await using WorkerPool pool = Start(1, options => options.RecycleAfterRequests = 1);
        Task<int>[] asked = [.. Enumerable.Range(0, 8).Select(_ => AskAsync(pool, Now))];
        Task<int> waits = FirstOpenAsync(pool.WaitForWorkersAsync(1));
        Task<int> sends = FirstOpenAsync(SendAsync());
        async Task SendAsync() => Assert.That(await pool.SendAsync(NumberPacket.Type, 5), Is.EqualTo(SendResult.Queued));
        async Task<int> FirstOpenAsync(Task task)
        {
            await task.Within("the pool");
            return asked.Count(one => !one.IsCompleted);
        }

        Assert.That((await waits > 4, await sends > 4), Is.EqualTo((true, true)), "with the first worker, or the second");
        await Task.WhenAll(asked).Within("the requests");
    }

    [Test]
    public async Task A_stream_has_its_workers_place_until_its_reader_leaves()
    {
        await using WorkerPool pool = Start(1, options => options.MaxRequestsPerWorker = 1);
        Task<int> behind;
        int read = 0;
        await foreach (int number in pool.RequestStreamAsync(NumberPacket.Count, NumberPacket.Type, 0))
        {
            Assert.That(number, Is.EqualTo(read));
            if (++read == 1_000)
            {
                break;
            }

            if (read == 10)
            {
                Assert.That(pool.Status.Waiting, Is.EqualTo(1));
                TransportException? none = await Assert.ThrowsAsync<TransportException>(
                    () => pool.RequestAsync(NumberPacket.Type, NumberPacket.Type, Now, TimeSpan.FromMilliseconds(50)));
                Assert.That(none!.Message, Does.StartWith("No worker of the pool had a place for a request within 0.05 s"));
            }
        }

        behind = AskAsync(pool, Now);
        await behind.Within("the request behind the stream");
        Assert.That(pool.Status.Waiting, Is.Zero);
    }

    /// <summary>It kept the place until its reader came back, and with it all requests that waited for it.</summary>
    [Test]
    public async Task A_stream_whose_time_is_over_gives_its_place_back_though_its_reader_does_not_come_back()
    {
        await using WorkerPool pool = Start(1, options => options.MaxRequestsPerWorker = 1);
        await pool.WaitForWorkersAsync(1).Within("the worker");
        using var cancel = new CancellationTokenSource();
        IAsyncEnumerator<int>[] left =
        [
            pool.RequestStreamAsync(NumberPacket.Count, NumberPacket.Type, 0, TimeSpan.FromSeconds(1)).GetAsyncEnumerator(),
            pool.RequestStreamAsync(NumberPacket.Count, NumberPacket.Type, 0, cancellationToken: cancel.Token).GetAsyncEnumerator(),
        ];
        foreach (IAsyncEnumerator<int> reader in left)
        {
            Assert.That(await reader.MoveNextAsync(), Is.True);
            cancel.CancelAfter(TimeSpan.FromSeconds(reader == left[1] ? 0.2 : 60));
            await AskAsync(pool, Now).Within("a request that has waited for the place");
        }

        OperationCanceledException? cancelled = await Assert.CatchAsync<OperationCanceledException>(
            async () =>
            {
                while (await left[1].MoveNextAsync())
                {
                }
            });
        Assert.That(cancelled!.CancellationToken, Is.EqualTo(cancel.Token));
        foreach (IAsyncEnumerator<int> reader in left)
        {
            await reader.DisposeAsync();
        }

        Assert.That(pool.Status.Waiting, Is.Zero);
    }

    [Test]
    public async Task What_no_link_would_take_is_refused_before_there_is_a_worker()
    {
        var gate = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using WorkerPool pool = Start(1, options => options.OnConnected = (_, _) => gate.Task);
        Assert.That(() => pool.TrySendRaw(5, [0xc0]), Throws.InstanceOf<ArgumentOutOfRangeException>());
        Assert.That(() => pool.TrySendRaw(1024, []), Throws.ArgumentException);
        Assert.That(() => pool.TrySend(NumberPacket.Type, 1, Lane.Control), Throws.InstanceOf<ArgumentOutOfRangeException>());
        Assert.That(() => pool.TrySend(TestPackets.Text, null!), Throws.ArgumentNullException);
        Assert.That(() => pool.Send(TestPackets.Text, null!, TimeSpan.FromHours(1)), Throws.ArgumentNullException);
        Assert.That(() => pool.RequestAsync(null!, NumberPacket.Type, 1), Throws.ArgumentNullException);
        Assert.That(() => pool.RequestAsync(NumberPacket.Type, NumberPacket.Type, 1, lane: Lane.Control),
            Throws.InstanceOf<ArgumentOutOfRangeException>());
        Assert.That(() => pool.RequestStreamAsync(NumberPacket.Count, (PacketType<int>)null!, 1), Throws.ArgumentNullException);
        gate.SetResult(true);
    }

    /// <summary>It said that none was connected.</summary>
    [Test]
    public async Task Who_waits_in_vain_for_a_worker_in_its_last_request_is_told_that_there_is_one()
    {
        await using WorkerPool pool = Start(1, options => (options.RecycleAfterRequests, options.MaxRequestsPerWorker) = (1, 1));
        await pool.WaitForWorkersAsync(1).Within("the worker");
        Task<int> last = AskAsync(pool, 5);
        TransportException? late = await Assert.ThrowsAsync<TransportException>(() => AskAsync(pool, Now, TimeSpan.FromMilliseconds(50)));
        Assert.That(late!.Message, Is.EqualTo(
            "No worker of the pool had a place for a request within 0.05 s: each has 1 (MaxRequestsPerWorker)."));
        Link link = await pool.Workers.Single().WaitForLinkAsync();
        Assert.That(await link.SendAsync(NumberPacket.Type, 5), Is.EqualTo(SendResult.Queued));
        await last.Within("the last request");
    }

    [Test]
    public async Task A_stream_whose_worker_dies_fails_and_one_that_finds_none_says_so()
    {
        WorkerPool pool = Start(1, options => options.Restart = WorkerRestart.Never);
        int read = 0;
        TransportException? gone = await Assert.ThrowsAsync<TransportException>(async () =>
        {
            await foreach (int _ in pool.RequestStreamAsync(NumberPacket.Count, NumberPacket.Type, 0))
            {
                if (++read == 10)
                {
                    pool.Workers.Single().Kill("on purpose");
                }
            }
        });
        Assert.That((gone!.Fault, read >= 10), Is.EqualTo((TransportFault.PeerGone, true)));
        await pool.Completion.Within("the pool's end");
        TransportException? none = await Assert.ThrowsAsync<TransportException>(
            () => pool.RequestStreamAsync(NumberPacket.Count, NumberPacket.Type, 0).GetAsyncEnumerator().MoveNextAsync().AsTask());
        Assert.That(none!.Fault, Is.EqualTo(TransportFault.ConnectFailed));
        await pool.DisposeAsync();
    }

    /// <summary>Every way in that a link has: to one worker, answered Full while none is connected, and Closed once none will be.</summary>
    [Test]
    public async Task A_pool_sends_as_a_link_does()
    {
        var gate = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using WorkerPool pool = Start(1, options => options.OnConnected = (_, _) => gate.Task);
        IPacketSender sender = pool;
        byte[] five = [0xce, 0, 0, 0, 5];
        Assert.That(sender.TrySend(NumberPacket.Type, 5), Is.EqualTo(SendResult.Full));
        Assert.That(sender.TrySendRaw(1024, five), Is.EqualTo(SendResult.Full));
        Assert.That(sender.Send(NumberPacket.Type, 5, TimeSpan.FromMilliseconds(30)), Is.EqualTo(SendResult.Full));
        Assert.That(sender.SendRaw(1024, five, TimeSpan.Zero), Is.EqualTo(SendResult.Full));
        Task<SendResult> waiting = Task.Run(() => sender.Send(NumberPacket.Type, 1, System.Threading.Timeout.InfiniteTimeSpan));
        gate.SetResult(true);
        Assert.That(await waiting.Within("a send that waits for a worker"), Is.EqualTo(SendResult.Queued));
        Task<int>[] asked = [.. Enumerable.Range(1, 5).Select(number => AskAsync(pool, number))];
        Assert.That(sender.TrySend(NumberPacket.Type, 2), Is.EqualTo(SendResult.Queued));
        Assert.That(sender.SendRaw(1024, [0xce, 0, 0, 0, 3], TimeSpan.FromSeconds(30)), Is.EqualTo(SendResult.Queued));
        Assert.That(await sender.SendRawAsync(1024, new byte[] { 0xce, 0, 0, 0, 4 }), Is.EqualTo(SendResult.Queued));
        Assert.That(sender.TrySendRaw(1024, five), Is.EqualTo(SendResult.Queued));
        await Task.WhenAll(asked).Within("the responses that the packets bring");
        Assert.That(sender.Levels.Default, Is.EqualTo(PacketLevel.Trace));
        await pool.StopAsync().Within("the stop");
        Assert.That(sender.TrySend(NumberPacket.Type, 5), Is.EqualTo(SendResult.Closed));
        Assert.That(sender.Send(NumberPacket.Type, 5, TimeSpan.FromMinutes(9)), Is.EqualTo(SendResult.Closed));
        Assert.That(sender.TrySendRaw(1024, five), Is.EqualTo(SendResult.Closed));
        Assert.That(await sender.SendRawAsync(1024, five), Is.EqualTo(SendResult.Closed));
    }

    [Test]
    public async Task Workers_stopped_on_purpose_use_up_no_restarts()
    {
        await using WorkerPool pool = Start(1, options => options.MaxRestarts = 1);
        for (int i = 0; i < 4; i++)
        {
            await pool.WaitForWorkersAsync(1).Within($"worker {i}");
            WorkerExit exit = await pool.Workers.Single().StopAsync("recycled").Within($"stop {i}");
            Assert.That(exit.IsClean, Is.True, exit.Report);
        }

        await pool.WaitForWorkersAsync(1).Within("the next one");
        Assert.That(pool.Status.HasGivenUp, Is.False);
    }

    [Test]
    public void The_restarts_allowed_grow_with_the_pool()
    {
        Assert.That(new WorkerPoolOptions { Size = 2 }.MaxRestarts, Is.EqualTo(20));
        Assert.That(new WorkerPoolOptions { Size = 100 }.MaxRestarts, Is.EqualTo(500));
        Assert.That(new WorkerPoolOptions { Size = 100, MaxRestarts = 3 }.MaxRestarts, Is.EqualTo(3));
    }

    /// <summary>The link closed at once, and the request failed as if the worker had died.</summary>
    [Test]
    public async Task A_stop_lets_a_worker_answer_what_was_begun()
    {
        await using WorkerPool pool = Start(1);
        await pool.WaitForWorkersAsync(1).Within("the worker");
        WorkerProcess worker = pool.Workers.Single();
        Link link = await worker.WaitForLinkAsync();
        Task<int> begun = AskAsync(pool, 3);
        Task<WorkerExit> stopping = worker.StopAsync("recycled", TimeSpan.FromMinutes(1));
        Task<int> next = AskAsync(pool, Now);
        Assert.That(await link.SendAsync(NumberPacket.Type, 3), Is.EqualTo(SendResult.Queued), "the link is open while it answers");
        Assert.That(await begun.Within("the answer"), Is.EqualTo(worker.ProcessId));
        WorkerExit exit = await stopping.Within("the exit");
        Assert.That(exit.IsClean, Is.True, exit.Report);
        Assert.That(await next.Within("the next answer"), Is.Not.EqualTo(worker.ProcessId), "who stops gets nothing more");
    }

    [Test]
    public async Task What_a_stop_leaves_no_time_for_fails_as_stopped()
    {
        await using WorkerPool pool = Start(1);
        await pool.WaitForWorkersAsync(1).Within("the worker");
        Task<int> begun = AskAsync(pool, 3);
        await pool.Workers.Single().StopAsync("time is up", TimeSpan.FromMilliseconds(300)).Within("the exit");
        TransportException? fault = await Assert.ThrowsAsync<TransportException>(() => begun);
        Assert.That(fault!.Fault, Is.EqualTo(TransportFault.Stopped));
        Assert.That(fault.Message, Does.Contain("before the response arrived").And.Contain("time is up"));
    }

    [Test]
    public async Task The_token_of_OnConnected_is_cancelled_when_the_workerExits_though_the_function_has_returned()
    {
        CancellationToken given = default;
        await using WorkerPool pool = Start(1, options => options.OnConnected = (_, over) =>
        {
            given = given.CanBeCanceled ? given : over;
            return Task.CompletedTask;
        });
        await pool.WaitForWorkersAsync(1).Within("the worker");
        Assert.That(given.IsCancellationRequested, Is.False);
        Assert.That(pool.Workers.Single().Kill(), Is.True);
        await Wait.UntilAsync(() => given.IsCancellationRequested, "the worker's exit cancels it");
    }

    [Test]
    public async Task One_request_a_worker_and_the_others_wait_in_line()
    {
        await using WorkerPool pool = Start(2, options => options.MaxRequestsPerWorker = 1);
        await pool.WaitForWorkersAsync(2).Within("both");
        Task<int>[] asked = [.. Enumerable.Range(1, 6).Select(number => AskAsync(pool, number))];
        Assert.That(pool.Status.Waiting, Is.EqualTo(2));
        for (int i = 0; i < asked.Length; i++)
        {
            _ = await pool.BroadcastAsync(NumberPacket.Type, i + 1);
            _ = await asked[i].Within($"answer {i + 1}");
            Assert.That(asked.Skip(i + 2).Any(later => later.IsCompleted), Is.False, "first come, first served");
            Assert.That(pool.Status.Waiting, Is.AtMost(2));
        }

        TransportException? late = null;
        _ = AskAsync(pool, 7);
        _ = AskAsync(pool, 8);
        late = await Assert.ThrowsAsync<TransportException>(() => AskAsync(pool, Now, TimeSpan.FromMilliseconds(50)));
        Assert.That(late!.Message, Is.EqualTo(
            "No worker of the pool had a place for a request within 0.05 s: each has 1 (MaxRequestsPerWorker)."));
        _ = await pool.BroadcastAsync(NumberPacket.Type, 7);
        _ = await pool.BroadcastAsync(NumberPacket.Type, 8);
    }

    [Test]
    public async Task A_worker_is_replaced_after_its_number_of_requests()
    {
        await using WorkerPool pool = Start(1, options => (options.RecycleAfterRequests, options.MaxRestarts) = (2, 0));
        var answered = new List<int>();
        for (int i = 0; i < 6; i++)
        {
            answered.Add(await AskAsync(pool, Now));
        }

        Assert.That(answered.GroupBy(process => process).Select(group => group.Count()), Is.EqualTo(new[] { 2, 2, 2 }));
        Assert.That(pool.Status.HasGivenUp, Is.False);
        await Wait.UntilAsync(() => Exits.Count >= 2, "exits");
        Assert.That(Exits.Select(exit => exit.IsClean), Is.All.True, string.Join("\n", Exits.Select(exit => exit.Report)));
    }

    [Test]
    public async Task A_worker_that_nobody_would_follow_is_not_replaced()
    {
        await using WorkerPool pool = Start(
            1, options => (options.RecycleAfterRequests, options.Restart) = (2, WorkerRestart.Never));
        var answered = new List<int>();
        for (int i = 0; i < 6; i++)
        {
            answered.Add(await AskAsync(pool, Now));
        }

        Assert.That(answered.Distinct().Count(), Is.EqualTo(1));
    }

    [Test]
    public async Task A_pool_that_has_given_up_keeps_the_workers_that_it_has()
    {
        await using WorkerPool pool = Start(2, options => (options.RecycleAfterRequests, options.MaxRestarts) = (3, 0));
        await pool.WaitForWorkersAsync(2).Within("both");
        Assert.That(pool.Workers[0].Kill(), Is.True);
        await Wait.UntilAsync(() => pool.Status.HasGivenUp, "it gives up");
        int last = pool.Workers.Single().ProcessId;
        for (int i = 0; i < 8; i++)
        {
            Assert.That(await AskAsync(pool, Now), Is.EqualTo(last));
        }
    }

    [Test]
    public async Task A_worker_is_replaced_above_its_bytes_of_memory()
    {
        await using WorkerPool pool = Start(1, options => (options.RecycleAboveBytes, options.MaxRestarts) = (1, 0));
        int first = await AskAsync(pool, Now);
        Assert.That(await AskAsync(pool, Now), Is.Not.EqualTo(first));
    }

    /// <summary>The exit was measured before it was reported, so a listener that threw kept all who waited for it waiting.</summary>
    [Test]
    public async Task A_listener_of_the_meter_that_throws_keeps_nobody_from_hearing_of_an_exit()
    {
        int calls = 0;
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, to) =>
        {
            if (instrument.Name is "transport.worker.exits" or "transport.request.duration" or "transport.write.duration")
            {
                to.EnableMeasurementEvents(instrument);
            }
        };
        listener.SetMeasurementEventCallback<long>((_, _, _, _) => throw new InvalidOperationException($"listener {++calls}"));
        listener.SetMeasurementEventCallback<double>((_, _, _, _) => throw new InvalidOperationException("listener"));
        listener.Start();
        await using WorkerPool pool = Start(1);
        Assert.That(await AskAsync(pool, Now), Is.Positive);
        WorkerExit exit = await pool.Workers.Single().StopAsync().Within("the exit");
        Assert.That(exit.IsClean, Is.True, exit.Report);
        await Wait.UntilAsync(() => calls > 0, "it was measured");
    }
}
