using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Children;

/// <summary>How a process ended is what the kernel says, never a guess from a number.</summary>
public sealed class EndTests
{
    [TestCase(0)]
    [TestCase(1)]
    [TestCase(3)]
    [TestCase(137)]
    [TestCase(255)]
    public async Task Exit_code_is_the_programs_own(int code)
    {
        (ProcessExit end, _) = await Shell.Run($"exit {code}").ConfigureAwait(false);
        Assert.That(end.ExitCode, Is.EqualTo(code));
        Assert.That(end.Signal, Is.Null);
        Assert.That(end.ToString(), Is.EqualTo($"exit {code}"));
        Assert.That(end.ShellExitCode, Is.EqualTo(code));
    }

    [TestCase("KILL", 9)]
    [TestCase("TERM", 15)]
    [TestCase("SEGV", 11)]
    [TestCase("ABRT", 6)]
    [TestCase("INT", 2)]
    [TestCase("HUP", 1)]
    [TestCase("PIPE", 13)]
    public async Task Signal_is_named(string name, int number)
    {
        (ProcessExit end, _) = await Shell.Run($"ulimit -c 0; kill -{name} $$; exit 1").ConfigureAwait(false);
        Assert.That(end.ToString(), Is.EqualTo("killed SIG" + name));
        Assert.That(end.Signal, Is.EqualTo(number));
        Assert.That(end.ExitCode, Is.Null);
        Assert.That(end.ShellExitCode, Is.EqualTo(128 + number));
        Assert.That(end.CoreDumped, Is.False);
    }

    [TestCase("exit", "7", "exit 7")]
    [TestCase("abort", "", "killed SIGABRT")]
    public async Task Managed_program_ends_by_its_own_status(string mode, string argument, string expected)
    {
        (ProcessExit end, _) = await Shell.Run(TestHost.Start(mode, argument)).ConfigureAwait(false);
        Assert.That(end.ToString(), Is.EqualTo(expected));
    }

    [TestCase("throw", "thrown for the test")]
    [TestCase("failfast", "said for the test")]
    public async Task Fatal_error_is_in_what_the_program_said(string mode, string words)
    {
        // All of it: Mono says it on standard output, and then writes native stacks.
        (ProcessExit end, Lines lines) = await Shell.Run(TestHost.Start(mode)).ConfigureAwait(false);
        Assert.That(end.IsSuccess, Is.False);
        Assert.That(string.Join("\n", lines.All().Select(l => l.Text)), Does.Contain(words));
    }

    [Test]
    public async Task Kill_ends_a_program_that_ignores_term()
    {
        var lines = new Lines();
        ChildProcess child = ChildProcess.Start(TestHost.Start("ignore-term").With(output: lines.Take));
        await lines.First(l => l.Text == "deaf", "deaf").ConfigureAwait(false);
        Assert.That(child.Terminate(), Is.True);
        Assert.That(child.WaitForExitAsync().IsCompleted, Is.False);
        Assert.That(child.Kill(), Is.True);
        ProcessExit end = await child.WaitForExitAsync().Within("the end").ConfigureAwait(false);
        Assert.That(end.ToString(), Is.EqualTo("killed SIGKILL"));
        Assert.That(child.Kill(), Is.False, "an ended process cannot be killed, nor can its successor by number");
    }

    [Test]
    public async Task Terminate_ends_an_ordinary_program()
    {
        ChildProcess child = ChildProcess.Start(new WorkerStartOptions("sleep", "1000"));
        Assert.That(child.Terminate(), Is.True);
        Assert.That((await child.WaitForExitAsync().Within("the end").ConfigureAwait(false)).ToString(), Is.EqualTo("killed SIGTERM"));
    }

    [Test]
    public async Task Other_processes_of_the_runtime_keep_their_end_and_so_do_ours()
    {
        // Both runtimes have a SIGCHLD handler of their own once System.Diagnostics.Process was used: neither may take the other's child.
        for (int round = 0; round < 20; round++)
        {
            using var theirs = System.Diagnostics.Process.Start(
                new System.Diagnostics.ProcessStartInfo("/bin/sh", "-c \"exit 5\"") { UseShellExecute = false })!;
            ChildProcess ours = ChildProcess.Start(Shell.Command("exit 137"));
            Assert.That((await ours.WaitForExitAsync().Within("our child").ConfigureAwait(false)).ToString(), Is.EqualTo("exit 137"));
            Assert.That(theirs.WaitForExit((int)WithinExtensions.Bound.TotalMilliseconds), Is.True);
            Assert.That(theirs.ExitCode, Is.EqualTo(5));
        }
    }
}
