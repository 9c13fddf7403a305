using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Workers;

/// <summary>A main node whose own loop reads what its workers send (<c>PacketRouter.ReadAllAsync</c>).</summary>
internal sealed class LoopTests
{
    private MainRig _rig = null!;

    [SetUp]
    public void Begin() => _rig = new MainRig();

    [TearDown]
    public async Task End() => await _rig.DisposeAsync();

    [Test]
    public async Task One_loop_takes_the_packets_of_four_workers_one_at_a_time_and_ends_with_the_last_of_them()
    {
        WorkerStartOptions start = TestHost.Start("worker-send", "500").With(new PacketRouter());
        IAsyncEnumerable<(int Packet, PacketContext Context)> packets = start.Router.ReadAllWithContextAsync(NumberPacket.Type);
        WorkerProcess[] workers = [.. Enumerable.Range(0, 4).Select(_ => _rig.Main.StartWorker(start))];
        var byNode = new Dictionary<string, List<int>>();
        await foreach ((int number, PacketContext context) in packets)
        {
            if (!byNode.TryGetValue(context.Node, out List<int>? numbers))
            {
                byNode.Add(context.Node, numbers = []);
            }

            numbers.Add(number);
        }

        Assert.That(byNode.Values, Has.Count.EqualTo(4).And.All.EqualTo(Enumerable.Range(1, 500)));
        foreach (WorkerProcess worker in workers)
        {
            Task<WorkerExit> exit = worker.WaitForExitAsync();
            Assert.That(exit.IsCompleted, Is.True, "the loop ends behind the exits of its workers");
            Assert.That((await exit).IsSuccess, Is.True, (await exit).Report);
        }

        Assert.That(() => _rig.Main.StartWorker(start), Throws.InvalidOperationException.With.Message.Contains("nobody would read"));
    }

    [Test]
    public async Task The_exit_report_says_what_came_after_a_loop_was_left()
    {
        WorkerStartOptions start = TestHost.Start("worker-send", "10").With(new PacketRouter());
        IAsyncEnumerable<(int Packet, PacketContext Context)> packets = start.Router.ReadAllWithContextAsync(NumberPacket.Type);
        WorkerProcess worker = _rig.Main.StartWorker(start);
        await foreach ((int number, _) in packets)
        {
            if (number == 3)
            {
                break;
            }
        }

        WorkerExit end = await _rig.End(worker);
        Assert.That((end.IsClean, end.AllPacketsHandled, end.IsSuccess), Is.EqualTo((true, false, false)), end.Report);
        Assert.That(end.UnhandledByType, Is.EqualTo(new[] { new KeyValuePair<string, long>("Number (1024)", 7) }));
        Assert.That(end.Report, Does.Contain("; 7 packets had no handler")
            .And.Contain("7 x Number (1024) had a loop (PacketRouter.ReadAllAsync), which was left before they were read"));
    }

    /// <summary>The report claims no more than is known when it is made.</summary>
    [Test]
    public async Task The_exit_report_says_what_a_loop_has_not_taken()
    {
        await using var rig = new MainRig(change: options =>
        {
            options.Link.CloseTimeout = options.StopTimeout = TimeSpan.FromMilliseconds(500);
            options.Link.Heartbeat.SilenceTimeout = TimeSpan.FromSeconds(1);
            options.Link.Heartbeat.PingInterval = TimeSpan.FromMilliseconds(300);
        });
        WorkerStartOptions start = TestHost.Start("worker-send", "10").With(new PacketRouter());
        await using IAsyncEnumerator<(int Packet, PacketContext Context)> loop =
            start.Router.ReadAllWithContextAsync(NumberPacket.Type).GetAsyncEnumerator();
        WorkerProcess worker = rig.Main.StartWorker(start);
        Assert.That(await loop.MoveNextAsync().AsTask().Within("a packet"), Is.True);
        WorkerExit end = await rig.End(worker);
        Assert.That((end.IsClean, end.AllPacketsHandled), Is.EqualTo((false, false)), end.Report);
        Assert.That(end.Report, Does.Contain("10 x Number (1024) had come, and their loop ")
            .And.Contain("(PacketRouter.ReadAllAsync) was not done with them"));
        Assert.That(await loop.MoveNextAsync().AsTask().Within("the loop's end"), Is.False, "what counts as lost is not read");
    }

    [Test]
    public async Task A_start_that_fails_ends_no_loop()
    {
        WorkerStartOptions start = TestHost.Start("worker-send", "3").With(new PacketRouter());
        IAsyncEnumerable<(int Packet, PacketContext Context)> packets = start.Router.ReadAllWithContextAsync(NumberPacket.Type);
        await using IAsyncEnumerator<(int Packet, PacketContext Context)> loop = packets.GetAsyncEnumerator();
        Task<bool> first = loop.MoveNextAsync().AsTask();
        var wrong = new WorkerStartOptions("no-such-program") { Router = start.Router };
        Assert.That(() => _rig.Main.StartWorker(wrong), Throws.InstanceOf<TransportException>());
        Assert.That(first.IsCompleted, Is.False);
        WorkerProcess worker = _rig.Main.StartWorker(start);
        Assert.That((await first.Within("a packet"), loop.Current.Packet), Is.EqualTo((true, 1)));
        while (await loop.MoveNextAsync())
        {
        }

        Assert.That((await _rig.End(worker)).IsSuccess, Is.True);
    }

    [Test]
    public async Task What_a_killed_worker_had_sent_is_read_before_its_exit_is_reported()
    {
        WorkerStartOptions start = TestHost.Start("worker-kill", "500", "9").With(new PacketRouter());
        IAsyncEnumerable<(int Packet, PacketContext Context)> packets =
            start.Router.ReadAllWithContextAsync(NumberPacket.Type, capacity: 10);
        WorkerProcess worker = _rig.Main.StartWorker(start);
        int last = 0;
        await foreach ((int number, _) in packets)
        {
            Assert.That(number, Is.EqualTo(last + 1));
            last = number;
            if (number == 20)
            {
                Assert.That(ProcessTable.WaitGone(worker.ProcessId, WithinExtensions.Bound), Is.True, "it dies");
            }

            Assert.That(worker.WaitForExitAsync().IsCompleted, Is.False, "before the last is read");
        }

        WorkerExit end = await _rig.End(worker);
        Assert.That((end.Link!.Receipt.Handled, end.Link.Receipt.Unhandled), Is.EqualTo(((long)last, 0L)), end.Report);
        Assert.That((end.Process.Signal, end.Link.Receipt.Received, last > 20), Is.EqualTo((9, (long)last, true)), end.Report);
    }

    [Test]
    public async Task A_loop_over_a_pool_goes_on_while_workers_are_replaced_and_ends_with_the_pool()
    {
        WorkerStartOptions start = TestHost.Start("worker-send", "50").With(new PacketRouter());
        IAsyncEnumerable<(int Packet, PacketContext Context)> packets = start.Router.ReadAllWithContextAsync(NumberPacket.Type);
        WorkerPool pool = _rig.Main.StartPool(start, new WorkerPoolOptions { Size = 1, Restart = WorkerRestart.Always, MaxRestarts = 100 });
        int count = 0;
        Task? stopping = null;
        await foreach (var _ in packets)
        {
            stopping = ++count == 120 ? pool.StopAsync("enough") : stopping;   // awaited behind the loop, which it waits for
        }

        await stopping!.Within("the pool");
        Assert.That(count, Is.AtLeast(120), "more than two workers send");
    }

    [Test]
    public void A_router_that_was_given_away_takes_no_loop_any_more([Values] bool isPool)
    {
        WorkerStartOptions start = TestHost.Start("worker-stay").With(new PacketRouter());
        if (isPool)
        {
            _ = _rig.Main.StartPool(start, new WorkerPoolOptions { Size = 1 }).DisposeAsync();
        }
        else
        {
            _rig.Main.StartWorker(start).Kill();
        }

        Assert.That(() => start.Router.ReadAllWithContextAsync(NumberPacket.Type),
            Throws.InvalidOperationException.With.Message.Contains("MainNode.StartWorker"), "at once, not when it has connected");
    }
}
