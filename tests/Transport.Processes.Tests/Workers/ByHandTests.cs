using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Links;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Workers;

/// <summary>A worker program that somebody starts by hand.</summary>
internal sealed class ByHandTests
{
    [Test]
    public async Task A_worker_that_is_started_by_hand_ends_with_one_line_and_its_exit_code()
    {
        var lines = new Lines();
        ProcessExit end = await ChildProcess.Start(TestHost.Start("worker-run").With(output: lines.Take)).WaitForExitAsync()
            .Within("the end").ConfigureAwait(false);
        Assert.That(end.ToString(), Is.EqualTo("exit 64"));
        Assert.That(lines.Of(isError: true), Has.Exactly(1).Items.And.One.StartsWith(
            "This program is a worker: it is started by a main node"));
    }

    [Test]
    public async Task A_worker_that_is_run_ends_clean_and_its_lines_say_what_it_was_doing()
    {
        await using var rig = new MainRig();
        var lines = new Lines();
        WorkerProcess worker = rig.Main.StartWorker(
            TestHost.Start("worker-run").With(new PacketRouter().OnUnknown(_ => Task.CompletedTask), lines.Take));
        worker.CurrentActivity = "Core.csproj";
        WorkerExit end = await rig.End(worker).ConfigureAwait(false);
        Assert.That((end.Cause, end.AllPacketsHandled), Is.EqualTo(("clean", true)), end.Report);
        OutputLine said = lines.All().Find(line => line.Text == "working");
        Assert.That((said.ToString(), said.Activity), Is.EqualTo(("out: working", "Core.csproj")));
    }
}
