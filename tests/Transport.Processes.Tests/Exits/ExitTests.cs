using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Exits;

/// <summary>Workers that send, say their last output and die: the exit report names the true cause and has the words, and every packet
/// written before was received.</summary>
public sealed class ExitTests
{
    private const int Count = 1000;
    private const string MonoCrash = "runtime fault: Got a SIGSEGV while executing native code.";

    /// <summary>How, what the cause reads on .NET and on Mono, what explains it on .NET and on Mono; null: nothing does.</summary>
    private static IEnumerable<TestCaseData> Cases()
    {
        yield return Case("kill:9", "killed SIGKILL", null);
        yield return Case("kill:15", "killed SIGTERM", null);
        yield return Case("kill:11", "killed SIGSEGV", null, mono: "killed SIGABRT", onMono: MonoCrash);
        yield return Case("fault", "killed SIGSEGV", null, mono: "killed SIGABRT", onMono: MonoCrash);
        yield return Case("exit:3", "exit 3", null);
        yield return Case("exit:137", "exit 137", null);
        yield return Case("static-exit:5", "exit 5", null);
        yield return Case("throw:thrown for the test", "killed SIGABRT",
            "unhandled exception: System.InvalidOperationException: thrown for the test", mono: "exit 1");
        yield return Case("static-throw", "killed SIGABRT",
            "unhandled exception: System.TypeInitializationException: The type initializer for '", mono: "exit 1");
        yield return Case("failfast:said for the test", "killed SIGABRT", "FailFast: said for the test");
        yield return Case("stack", "killed SIGABRT", "stack overflow", mono: "exit 1");
        yield return Case("heap", "killed SIGABRT", "out of memory", mono: "exit 1");
    }

    private static TestCaseData Case(string how, string cause, string? explanation, string? mono = null, string? onMono = null) =>
        new TestCaseData(how, TestHost.Own == TestHost.Mono ? mono ?? cause : cause, TestHost.Own == TestHost.Mono ? onMono ?? explanation
            : explanation).SetName("Exit_report_names_the_cause(" + how.Split(':')[0] + ", " + cause + ")");

    [Promise("Worker exits", "Every worker gets one exit report, after its link and both output streams have drained.")]
    [TestCaseSource(nameof(Cases))]
    public async Task Exit_report_names_the_cause(string how, string cause, string? explanation)
    {
        await using var rig = new MainRig();
        WorkerStartOptions start = TestHost.Start("worker-die", $"{Count}", how);
        start.Environment["DOTNET_GCHeapHardLimit"] = "0x4000000"; // 64 MB, for both runtimes
        start.Environment["MONO_GC_PARAMS"] = "max-heap-size=64m";
        start.Environment["DOTNET_DbgEnableMiniDump"] = "0";
        WorkerExit end = await rig.End(rig.Start(start)).ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo(end.FatalError is null ? cause : $"{cause}, {end.FatalError}"));
        Assert.That(end.Explanation, explanation is null ? Is.Null : Does.StartWith(explanation));
        Assert.That(rig.Lines.Of(isError: true), Does.Contain("last output"));
        Assert.That(end.LastErrorLines, Is.EqualTo(LastLinesOf(rig)));
        Assert.That(end.Link!.Fault, Is.EqualTo(TransportFault.PeerGone));
        Assert.That(end.KilledByMainNode, Is.False);
        rig.AssertNumbers(Count);
    }

    /// <summary>A worker that had closed its link and was about to return got SIGTERM from a stop that came just then, and its exit was said
    /// to be a kill.</summary>
    [TestCase(200, "clean", 60_000)]
    [TestCase(60_000, "killed SIGTERM", 60_000)]
    [TestCase(60_000, "killed SIGTERM", 800)]
    public async Task A_worker_that_has_closed_its_link_may_exit_by_itself_before_a_stop_ends_it(int exitsAfterMs, string cause, int stopMs)
    {
        await using var rig = new MainRig();
        WorkerProcess worker = rig.Start("worker-linger", $"{exitsAfterMs}");
        Link link = await worker.WaitForLinkAsync().Within("its link").ConfigureAwait(false);
        await link.Completion.Within("the link's end").ConfigureAwait(false);
        WorkerExit end = await worker.StopAsync("no more to do", TimeSpan.FromMilliseconds(stopMs)).Within("its end").ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo(cause), end.Report);
    }

    [Test]
    public async Task A_kill_from_outside_is_named_and_loses_nothing([Values(9, 15)] int signal)
    {
        await using var rig = new MainRig();
        WorkerProcess worker = await rig.StartConnected("worker-stay").ConfigureAwait(false);
        ProcessTable.Signal(worker.ProcessId, signal);
        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        Assert.That(end.Cause, Is.EqualTo(signal == 9 ? "killed SIGKILL" : "killed SIGTERM"));
        Assert.That(end.Explanation, Is.Null);
        Assert.That(end.Process.OutOfMemoryKill, Is.Not.True);
    }

    [Promise("Worker exits", "A kill by the main node itself is reported as such, with the reason.")]
    [TestCase(null)]
    [TestCase("the build was cancelled")]
    public async Task A_kill_by_the_main_node_says_so_and_why(string? said)
    {
        await using var rig = new MainRig();
        WorkerProcess worker = await rig.StartConnected("worker-stay").ConfigureAwait(false);
        Assert.That(worker.Kill(said), Is.True);
        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        string why = said ?? "WorkerProcess.Kill was called";
        Assert.That((end.Cause, end.KillReason, end.Explanation, end.KilledByMainNode, end.Process.OutOfMemoryKill),
            Is.EqualTo(("killed SIGKILL", why, "killed by the main node: " + why, true, (bool?)false)));
    }

    [Test]
    public async Task A_worker_that_was_killed_for_taking_too_long_says_for_what()
    {
        var brief = TimeSpan.FromMilliseconds(300);
        await using var hasty = new MainRig(change: options => options.ConnectTimeout = TimeSpan.FromSeconds(1));
        await using var rig = new MainRig(change: options => options.BrokenLinkGrace = brief);
        WorkerProcess never = hasty.Start(Shell.Command("exec sleep 1000")), broken = rig.Start("worker-no-goodbye"),
            deaf = rig.Start("ignore-term"), asked = rig.Start(Shell.Command("exec sleep 1000"));
        await rig.Lines.First(l => l.Text == "deaf", "deaf").ConfigureAwait(false);
        Task<WorkerExit> deafEnd = deaf.StopAsync("no more to do", brief), askedEnd = asked.StopAsync("no more to do");
        Assert.That((await deafEnd.Within("its end").ConfigureAwait(false)).Explanation,
            Is.EqualTo("killed by the main node: it had not ended 0.3 s after it was asked to stop (no more to do)"));
        WorkerExit terminated = await askedEnd.Within("its end").ConfigureAwait(false);
        Assert.That((terminated.Cause, terminated.Explanation), Is.EqualTo(("killed SIGTERM", "killed by the main node: no more to do")));
        Assert.That((await rig.End(never).ConfigureAwait(false)).ToString(), Does.Contain("HandshakeTimeout; killed SIGKILL (killed by "
            + "the main node: it had not connected 1 s after its start (MainNodeOptions.ConnectTimeout)) after "));
        Assert.That((await rig.End(broken).ConfigureAwait(false)).KillReason,
            Is.EqualTo("its link had ended (PeerGone), and it ran on for 0.3 s (MainNodeOptions.BrokenLinkGrace)"));
    }

    [Test]
    public async Task A_c_program_that_overflows_its_stack_died_of_SIGSEGV()
    {
        using var folder = new TestFolder();
        string program = await CompiledC.Program(folder.Path, CompiledC.Recursion).ConfigureAwait(false);
        await using var rig = new MainRig();
        WorkerExit end = await rig.End(rig.Start(new WorkerStartOptions(program))).ConfigureAwait(false);
        Assert.That((end.Cause, end.Explanation, end.Executable), Is.EqualTo(("killed SIGSEGV", (string?)null, program)));
        Assert.That(end.LastErrorLines, Is.EqualTo(new[] { "last output" }));
    }

    [Test]
    public async Task C_code_inside_a_worker_that_overflows_the_stack_is_reported_by_the_runtime()
    {
        using var folder = new TestFolder();
        string library = await CompiledC.Library(folder.Path, CompiledC.Recursion).ConfigureAwait(false);
        await using var rig = new MainRig();
        WorkerExit end = await rig.End(rig.Start("worker-die", $"{Count}", "native-stack:" + library)).ConfigureAwait(false);

        // Mono's own handler for that fault now and then faults in its turn (once in some hundred runs): then it aborts, or the kernel ends
        // the process, and the exit report can say no more than that.
        (string Cause, string? Explanation)[] expected = TestHost.Own == TestHost.Mono
            ? [("exit 1, stack overflow", "stack overflow"), ("killed SIGABRT, stack overflow", "stack overflow"), ("killed SIGSEGV", null)]
            : [("killed SIGABRT, stack overflow", "stack overflow")];
        Assert.That(expected, Does.Contain((end.Cause, end.Explanation)));
        rig.AssertNumbers(Count);
    }

    [TestCase(true, "exit 131")]
    [TestCase(false, "exit 150")]
    public async Task A_missing_runtime_is_named(bool whole, string cause)
    {
        using var folder = new TestFolder();
        WorkerStartOptions start = TestHost.StartOn(TestHost.Net, "worker-send", "1");
        string dll = start.Arguments[0];
        if (whole)
        {
            string host = dll.Substring(0, dll.Length - ".dll".Length);
            Assert.That(host, Does.Exist, "the helper was built with its own host");
            start = new WorkerStartOptions(host) { Environment = { ["DOTNET_ROOT"] = folder.Path, ["DOTNET_ROOT_X64"] = folder.Path } };
        }
        else
        {
            start.Arguments.Insert(0, "--fx-version");
            start.Arguments.Insert(1, "99.0.0");
        }

        await using var rig = new MainRig();
        WorkerExit end = await rig.End(rig.Start(start)).ConfigureAwait(false);
        Assert.That(end.Cause, Does.StartWith(cause + ", missing runtime: "));
        Assert.That(end.FatalError?.Kind, Is.EqualTo(FatalErrorKind.RuntimeMissing));
        Assert.That(end.Explanation, Does.StartWith("missing runtime: You must install "));
        Assert.That(end.LastErrorLines, Is.Not.Empty);
    }

    [TestCase("no-such-program-anywhere", "not-found")]
    [TestCase("/etc/passwd", "not-executable")]
    public async Task What_never_started_has_no_exit_report_but_one_sentence(string program, string code)
    {
        await using var rig = new MainRig();
        TransportException error = Assert.Throws<TransportException>(() => rig.Main.StartWorker(new WorkerStartOptions(program)))!;
        Assert.That((error.Fault, error.Code), Is.EqualTo((TransportFault.StartFailed, code)));
        Assert.That(error.Message, Does.Contain(program).And.Not.Contain("\n"));
        Assert.That(rig.Main.Workers, Is.Empty);
    }

    [Promise("Worker exits", "Exit code 137 is never reported as a signal, nor a harmless line as a fatal error.")]
    [Test]
    public async Task A_number_is_not_taken_for_a_signal_nor_an_innocent_text_for_a_fatal_error()
    {
        await using var rig = new MainRig();
        WorkerExit end = await rig.End(
            rig.Start(Shell.Command("echo 'Unhandled exception. System.Exception: said, not thrown' >&2; exit 137"))).ConfigureAwait(false);
        Assert.That((end.Cause, end.Explanation, end.Process.Signal), Is.EqualTo(("exit 137", (string?)null, (int?)null)));
    }

    [TestCase("Stack overflow.")]
    [TestCase("Unhandled exception. System.Exception: said, not thrown")]
    [TestCase("Got a SIGSEGV while executing native code. This usually indicates")]
    public async Task What_a_child_said_is_not_believed_of_a_process_that_a_signal_from_elsewhere_ended(string said)
    {
        await using var rig = new MainRig();
        WorkerExit end = await rig.End(rig.Start(Shell.Command($"ulimit -c 0; sh -c 'echo \"{said}\" >&2'; kill -SEGV $$")))
            .ConfigureAwait(false);
        Assert.That((end.Cause, end.Explanation, end.FatalError), Is.EqualTo(("killed SIGSEGV", (string?)null, (FatalError?)null)));
        Assert.That(end.Details(), Does.Contain("stderr: " + said));
    }

    private static List<string> LastLinesOf(MainRig rig)
    {
        List<string> all = rig.Lines.Of(isError: true);
        return all.Skip(Math.Max(0, all.Count - 20)).ToList();
    }
}
