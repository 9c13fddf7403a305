using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Tails;

/// <summary>What a worker's sends answered Queued for survives its SIGKILL, as far as its tail is large.</summary>
[NonParallelizable] // it looks for its tail among the descriptors of the process, and changes the environment
public sealed class TailTests
{
    /// <summary>With this budget all that is queued fits the smallest ring, records' heads and all.</summary>
    private const long Small = 64 << 10;

    /// <summary>More than one segment, so that most of it is not being written when the queue is full; <see cref="Large"/> holds all of it
    /// in any lane.</summary>
    private const long Deep = 1 << 20;

    private const int Large = 16 << 20;

    [Promise("Worker exits", "Packets still queued when a worker is killed are recovered from its crash tail, up to the tail's size.")]
    [Test]
    public async Task Everything_queued_arrives_once_and_in_order_whenever_the_worker_is_killed([Range(1, 8)] int round,
        [Values] bool crossed)
    {
        int seed = Environment.TickCount ^ (round * 7919);
        TestContext.Out.WriteLine($"seed {seed}");
        await using var rig = new MainRig(round % 2 == 0 ? "unix" : "pipe");
        using var run = new TailRun();
        WorkerExit end = await run.ToItsEnd(rig, crossed ? TestHost.Other : TestHost.Own, seed, Small, new Random(seed).Next(1, 20_000),
            untilFull: false).ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo("killed SIGKILL"));
        Assert.That(run.Missing($"seed {seed}"), Has.All.LessThanOrEqualTo(0), $"seed {seed}");
        TailReport tail = end.Link!.Receipt.Tail!;
        Assert.That((tail.Lost, tail.Problem), Is.EqualTo((0L, (string?)null)));
    }

    [Test]
    public async Task Everything_queued_arrives_though_the_main_node_does_not_read([Range(1, 2)] int round, [Values] bool crossed)
    {
        int seed = Environment.TickCount ^ (round * 7919);
        TestContext.Out.WriteLine($"seed {seed}");
        await using var rig = new MainRig(change: options => options.TailBytes = Large);
        using var run = new TailRun();
        WorkerExit end = await run.ToItsEnd(
            rig, crossed ? TestHost.Other : TestHost.Own, seed, Deep, new Random(seed).Next(1, 500), untilFull: true).ConfigureAwait(false);
        Assert.That(run.Missing($"seed {seed}"), Has.All.LessThanOrEqualTo(0), $"seed {seed}");
        TailReport tail = end.Link!.Receipt.Tail!;
        Assert.That(tail.Packets, Is.GreaterThan(100), "what was in the queue");
        Assert.That((tail.Lost, tail.Problem), Is.EqualTo((0L, (string?)null)));
        Assert.That(end.Report, Does.Contain($"{tail.Packets} from the tail, 0 lost"));
    }

    [Promise("Worker exits", "Packets beyond the tail's size are lost from the end of a lane, and counted exactly.")]
    [Test]
    public async Task What_a_deep_queue_has_beyond_the_tail_is_lost_from_the_end_and_counted([Values] bool crossed)
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        await using var rig = new MainRig();
        using var run = new TailRun();
        WorkerExit end = await run.ToItsEnd(
            rig, crossed ? TestHost.Other : TestHost.Own, seed, 8 << 20, new Random(seed).Next(1, 500), untilFull: true)
            .ConfigureAwait(false);
        long[] missing = run.Missing($"seed {seed}");
        TailReport tail = end.Link!.Receipt.Tail!;
        Assert.That(tail.Packets, Is.GreaterThan(0), "how many fit depends on their sizes");
        Assert.That(tail.Problem, Is.Null);
        long known = missing.Sum(lane => Math.Max(0, lane));
        Assert.That(known, Is.GreaterThan(0));
        Assert.That(tail.Lost, Is.InRange(known, known + 3 + 300),
            "those that set entries of tables are counted too, and one a lane may not be noted");
    }

    [Test]
    public async Task An_exited_workers_tail_is_read_however_long_somebody_takes_over_its_output()
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        await using var rig = new MainRig(change: options => options.TailBytes = Large);
        using var run = new TailRun();
        using var held = new ManualResetEventSlim();
        run.Output = _ => held.Wait(WithinExtensions.Bound);
        Task<WorkerExit> ending = run.ToItsEnd(rig, TestHost.Own, seed, Deep, 100, untilFull: true);
        Link link = await run.Worker!.WaitForLinkAsync().Within("the link").ConfigureAwait(false);
        LinkEnd end = await link.Completion.Within("the link's end").ConfigureAwait(false);
        Assert.That(ending.IsCompleted, Is.False, "its output is still being taken");
        held.Set();
        await ending.ConfigureAwait(false);
        Assert.That(run.Missing($"seed {seed}"), Has.All.LessThanOrEqualTo(0), $"seed {seed}");
        Assert.That((end.Receipt.Tail?.Lost, end.Receipt.Tail?.Problem), Is.EqualTo(((long?)0, (string?)null)));
    }

    [Test]
    public async Task Without_a_tail_what_was_written_arrives_and_no_more_is_said()
    {
        await using var rig = new MainRig(change: options => options.TailBytes = 0);
        using var run = new TailRun();
        WorkerExit end = await run.ToItsEnd(rig, TestHost.Own, 1, Deep, 300, untilFull: true).ConfigureAwait(false);
        Assert.That(run.Missing("seed 1").Sum(), Is.GreaterThan(0));
        Assert.That(end.Link!.Receipt.Tail, Is.Null);
    }

    [Test]
    public async Task A_worker_that_cannot_use_its_tail_goes_on_without([Values("/nowhere/at-all", "/dev/null", "/", "-")] string path)
    {
        await using var rig = new MainRig();
        WorkerStartOptions worker = TestHost.Start("worker-send", "1000");
        WorkerExit end = await rig.End(rig.Start(
            Shell.Command($"TRANSPORT_TAIL={path} exec {worker.FileName} {string.Join(" ", worker.Arguments)}"))).ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo("clean"));
        rig.AssertNumbers(1000);
    }

    [Test]
    public async Task A_main_node_that_cannot_make_a_tail_starts_its_worker_without()
    {
        string? was = Environment.GetEnvironmentVariable("TRANSPORT_DIR");
        await using var rig = new MainRig();
        WorkerProcess worker;
        try
        {
            // The main node has its endpoint; where the tail would go is asked anew.
            Environment.SetEnvironmentVariable("TRANSPORT_DIR", "no/absolute/path");
            worker = rig.Start("worker-send", "1000");
        }
        finally
        {
            Environment.SetEnvironmentVariable("TRANSPORT_DIR", was);
        }

        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo("clean"));
        rig.AssertNumbers(1000);
    }

    [Test]
    public async Task The_file_has_no_name_once_the_worker_has_connected_and_its_children_do_not_know_it()
    {
        await using var rig = new MainRig();
        string folder = Path.GetDirectoryName(rig.Main.Endpoint.Address)!;
        WorkerProcess worker = await rig.StartConnected("worker-stay").ConfigureAwait(false);
        string own = $"{System.Diagnostics.Process.GetCurrentProcess().Id}-";
        Assert.That(Directory.GetFiles(folder, own + "*.tail"), Is.Empty);
        Assert.That(File.ReadAllText($"/proc/{worker.ProcessId}/maps"), Does.Match(@"\d+-[0-9a-f]{8}\.tail \(deleted\)"));
        WorkerExit end = await rig.End(rig.Start("worker-environment")).ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo("clean"));
        Assert.That(string.Join("\n", rig.Lines.Of(isError: false)), Does.Not.Contain(".tail"));
    }

    [Test]
    public async Task A_tail_that_somebody_has_cut_is_reported_in_the_exit_report()
    {
        await using var rig = new MainRig();
        WorkerProcess worker = await rig.StartConnected("worker-stay").ConfigureAwait(false);
        using (FileStream file = OpenTail.Open())
        {
            file.SetLength(500);
        }

        ProcessTable.Signal(worker.ProcessId, 9);
        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        Assert.That(end.Link!.Receipt.Tail, Is.EqualTo(new TailReport { Problem = "somebody has cut its file to 500 of 1048576 bytes" }));
        Assert.That(end.Report, Does.Contain("somebody has cut its file to 500 of 1048576 bytes"));
    }

    [Test]
    public async Task A_tail_is_not_read_while_its_process_lives_and_the_receipt_says_so()
    {
        await using var rig = new MainRig();
        WorkerProcess worker = await rig.StartConnected("worker-no-goodbye").ConfigureAwait(false);
        Link link = await worker.WaitForLinkAsync().ConfigureAwait(false);
        LinkEnd end = await link.Completion.Within("the link's end").ConfigureAwait(false);
        Assert.That(worker.WaitForExitAsync().IsCompleted, Is.False, "its process lives");
        Assert.That(end.Receipt.Tail, Is.EqualTo(new TailReport { Problem = "tail not read: the process lives" }));
        Assert.That(end.Receipt.ToString(), Does.EndWith(", tail not read: the process lives"));
        worker.Kill();
        WorkerExit exit = await rig.End(worker).ConfigureAwait(false);
        Assert.That(exit.Cause, Is.EqualTo("PeerGone; killed SIGKILL"));
        var counted = new TailReport { Lost = 0, Problem = "tail not read: the process lives" };
        Assert.That(exit.Link!.Receipt.Tail, Is.EqualTo(counted), "counted once it had exited");
    }

    [Test]
    public async Task A_worker_that_lives_on_after_its_stream_ended_is_killed_and_its_tail_read()
    {
        await using var rig = new MainRig(change: options => options.BrokenLinkGrace = TimeSpan.FromMilliseconds(200));
        WorkerProcess worker = await rig.StartConnected("worker-no-goodbye").ConfigureAwait(false);
        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo("PeerGone; killed SIGKILL"));
        Assert.That(end.Link!.Receipt.Tail, Is.EqualTo(new TailReport { Lost = 0 }));
    }
}
