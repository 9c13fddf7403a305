using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;

namespace Transport.Processes.Tests.Exits;

/// <summary>The kernel's kill for lack of memory, in a control group that is really too small, beside a kill by hand in the same
/// group.</summary>
[NonParallelizable] // it uses up memory
public sealed class MemoryKillTests
{
    private const int Count = 1000;

    [Promise(
        "Worker exits", "An out-of-memory kill by the kernel is distinguished from any other SIGKILL, where the control group shows it.")]
    [Test]
    public async Task An_oom_kill_is_distinguished_from_a_manual_one()
    {
        using MemoryLimit limit = MemoryLimit.Create(192 << 20);
        await using var rig = new MainRig();
        WorkerExit first = await rig.End(rig.Start(Inside(limit, "worker-die", $"{Count}", "memory"))).ConfigureAwait(false);
        Assert.That((first.Cause, first.Process.OutOfMemoryKill, first.Explanation),
            Is.EqualTo(("killed SIGKILL", (bool?)true, "the kernel's out-of-memory killer")));
        Assert.That(first.LastErrorLines, Is.EqualTo(new[] { "last output" }));
        rig.AssertNumbers(Count);

        rig.Numbers.Clear();
        WorkerExit second = await rig.End(rig.Start(Inside(limit, "worker-die", $"{Count}", "kill:9"))).ConfigureAwait(false);
        Assert.That((second.Cause, second.Explanation), Is.EqualTo(("killed SIGKILL", (string?)null)));
        Assert.That(second.Process.OutOfMemoryKill, limit.IsLegacy ? Is.Null : Is.False,
            "version 1 does not report where the process was at its end");
        rig.AssertNumbers(Count);
    }

    [Test]
    public async Task One_of_the_kernels_kills_explains_one_exit()
    {
        using MemoryLimit limit = MemoryLimit.Create(192 << 20);
        await using var rig = new MainRig();
        WorkerProcess other = rig.Start(Inside(limit, "worker-stay"));
        await rig.Lines.First(l => l.Text.StartsWith("connected ", System.StringComparison.Ordinal), "connected").ConfigureAwait(false);
        WorkerExit first = await rig.End(rig.Start(Inside(limit, "worker-die", "1", "memory"))).ConfigureAwait(false);
        Assert.That(first.Process.OutOfMemoryKill, Is.True);

        ProcessTable.Signal(other.ProcessId, 9);
        WorkerExit second = await rig.End(other).ConfigureAwait(false);
        Assert.That(second.Cause, Is.EqualTo("killed SIGKILL"));
        Assert.That(second.Process.OutOfMemoryKill, Is.Not.True, "the group's only kill was the other worker");
    }

    /// <summary>The shell joins the group and becomes the worker: same process.</summary>
    private static WorkerStartOptions Inside(MemoryLimit limit, params string[] arguments)
    {
        WorkerStartOptions worker = TestHost.Start(arguments);
        WorkerStartOptions start = Shell.Command(
            $"echo $$ > {limit.Door}; exec {worker.FileName} {string.Join(" ", worker.Arguments.Select(a => $"'{a}'"))}");
        start.Environment["DOTNET_EnableDiagnostics"] = "0";
        return start;
    }
}
