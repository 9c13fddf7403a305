using System;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Workers;

/// <summary>A worker does not outlive its main node, whatever it is doing.</summary>
public sealed class OrphanTests
{
    private const int SigKill = 9, SigTerm = 15, SigStop = 19;

    /// <summary>The promise is 2 s on a machine that has time for it, and most of that is timers. One that is slow gets longer; a parent
    /// monitor that does not hold shows at <see cref="WithinExtensions.Bound"/>.</summary>
    private static readonly TimeSpan Most = TimeSpan.FromSeconds(30);

    [Promise("Worker exits", "Workers end within two seconds of the death of their main node.")]
    [TestCase("worker-stay", "unix", "connected ")]
    [TestCase("worker-stay", "pipe", "connected ")]
    [TestCase("worker-busy", "unix", "busy")]
    [TestCase("worker-stubborn", "unix", "connected ")]
    [TestCase("worker-stay", "inherited", "connected ")]
    [TestCase("worker-busy", "inherited", "busy")]
    [TestCase("worker-stubborn", "inherited", "connected ")]
    public Task Worker_is_gone_two_seconds_after_its_main_node_was_killed(string mode, string wire, string ready) =>
        KillMain(TestHost.Own, mode, wire, ready, SigKill);

    [TestCase("unix")]
    [TestCase("inherited")]
    public async Task So_is_one_that_blocks_in_a_write(string wire)
    {
        using var folder = new TestFolder();
        string full = Path.Combine(folder.Path, "full");
        (ChildProcess main, Lines lines) = await StartMain(TestHost.Own, "worker-flood", wire, "connected ", folder, full)
            .ConfigureAwait(false);
        ProcessTable.Signal(main.ProcessId, SigStop);
        Assert.That(System.Threading.SpinWait.SpinUntil(() => File.Exists(full), WithinExtensions.Bound), Is.True, "its queue is full");
        main.Kill();
        bool gone = ProcessTable.WaitGone(WorkerIn(lines), WithinExtensions.Bound);
        ProcessTable.Signal(WorkerIn(lines), SigKill);
        await main.WaitForExitAsync().Within("the main node's end").ConfigureAwait(false);
        Assert.That(gone, Is.True);
    }

    [TestCase("unix")]
    [TestCase("inherited")]
    public Task So_is_one_of_the_other_runtime(string wire) => KillMain(TestHost.Other, "worker-stay", wire, "connected ", SigKill);

    [Test]
    public Task And_after_SIGTERM() => KillMain(TestHost.Own, "worker-stay", "unix", "connected ", SigTerm);

    [TestCase("unix")]
    [TestCase("pipe")]
    public async Task Socket_of_a_killed_main_node_is_gone_after_the_next_run(string wire)
    {
        using var folder = new TestFolder();
        (ChildProcess main, Lines lines) = await StartMain(TestHost.Own, "worker-stay", wire, "connected ", folder).ConfigureAwait(false);
        main.Kill();
        await main.WaitForExitAsync().Within("the main node's end").ConfigureAwait(false);
        Assert.That(Directory.GetFileSystemEntries(folder.Path), Is.Not.Empty,
            "a killed process leaves its socket, or the test shows nothing");
        ProcessTable.WaitGone(WorkerIn(lines), WithinExtensions.Bound);

        WorkerStartOptions next = MainCommand(TestHost.Own, "main-once", "worker-stay", wire, folder);
        (ProcessExit end, Lines said) = await Shell.Run(next).ConfigureAwait(false);
        Assert.That(end.IsSuccess, Is.True, string.Join("\n", said.All()));
        Assert.That(Directory.GetFileSystemEntries(folder.Path), Is.Empty);
    }

    /// <summary>While its worker has not connected, a tail has a name.</summary>
    [Test]
    public async Task Tail_of_a_killed_main_node_is_gone_after_the_next_run()
    {
        using var folder = new TestFolder();
        var lines = new Lines();
        WorkerStartOptions start = TestHost.Start("main", "unix", "/bin/sh", "-c", "echo connected $$; exec sleep 600");
        start.Environment["TRANSPORT_DIR"] = folder.Path;
        ChildProcess main = ChildProcess.Start(start.With(output: lines.Take));
        await lines.First(l => l.Text.StartsWith("connected ", StringComparison.Ordinal), "the worker").ConfigureAwait(false);
        main.Kill();
        await main.WaitForExitAsync().Within("the main node's end").ConfigureAwait(false);
        ProcessTable.Signal(WorkerIn(lines), SigKill);
        Assert.That(Directory.GetFiles(folder.Path, "*.tail"), Has.Length.EqualTo(1),
            "a killed process leaves its worker's tail, or the test shows nothing");

        (ProcessExit end, Lines said) = await Shell.Run(MainCommand(TestHost.Own, "main-once", "worker-stay", "unix", folder))
            .ConfigureAwait(false);
        Assert.That(end.IsSuccess, Is.True, string.Join("\n", said.All()));
        Assert.That(Directory.GetFileSystemEntries(folder.Path), Is.Empty);
    }

    private static async Task KillMain(string runtime, string mode, string wire, string ready, int signal)
    {
        using var folder = new TestFolder();
        (ChildProcess main, Lines lines) = await StartMain(runtime, mode, wire, ready, folder).ConfigureAwait(false);
        int worker = WorkerIn(lines);
        var clock = Stopwatch.StartNew();
        _ = signal == SigKill ? main.Kill() : main.Terminate();
        bool gone = ProcessTable.WaitGone(worker, WithinExtensions.Bound);
        TimeSpan took = clock.Elapsed;
        ProcessTable.Signal(worker, SigKill);
        await main.WaitForExitAsync().Within("the main node's end").ConfigureAwait(false);
        TestContext.Out.WriteLine($"gone after {took.TotalMilliseconds:0} ms");
        Assert.That(gone, Is.True);
        Assert.That(took, Is.LessThan(Most));
    }

    private static async Task<(ChildProcess Main, Lines Lines)> StartMain(
        string runtime, string mode, string wire, string ready, TestFolder folder, params string[] arguments)
    {
        var lines = new Lines();
        ChildProcess main = ChildProcess.Start(MainCommand(runtime, "main", mode, wire, folder, arguments).With(output: lines.Take));
        await lines.First(l => l.Text.StartsWith("connected ", StringComparison.Ordinal), "connected").ConfigureAwait(false);
        await lines.First(l => l.Text.StartsWith(ready, StringComparison.Ordinal), ready).ConfigureAwait(false);
        return (main, lines);
    }

    private static WorkerStartOptions MainCommand(
        string workerRuntime, string mainMode, string mode, string wire, TestFolder folder, params string[] arguments)
    {
        WorkerStartOptions worker = TestHost.StartOn(workerRuntime, [mode, .. arguments]);
        WorkerStartOptions main = TestHost.Start([mainMode, wire, worker.FileName, .. worker.Arguments]);
        main.Environment["TRANSPORT_DIR"] = folder.Path;
        return main;
    }

    private static int WorkerIn(Lines lines) =>
        int.Parse(lines.Of(isError: false).Find(l => l.StartsWith("connected ", StringComparison.Ordinal))!.Split(' ')[1]);
}
