using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Processes.Tests.Kit;
using Transport.Testing.Wires;

namespace Transport.Processes.Tests.Children;

/// <summary>The path that children take on Windows, run on .NET for Unix, whose Process reads quoted arguments by the same rules: what it
/// can show here it shows.</summary>
[Platform(Exclude = "Mono", Reason = "Mono's Process reads quoted arguments by a shell's rules.")]
public sealed class ManagedChildTests
{
    private static readonly string[] Odd = ["plain", "two words", "", "a\"b", "c\\", "d \\", "e\\\"f", "g\\\\ h\\\\", "tab\there"];

    [Test]
    public async Task It_has_its_arguments_its_environment_its_output_and_its_exit_code()
    {
        var lines = new Lines();
        var start = new WorkerStartOptions("/bin/sh", ["-c", "printf '%s|' \"$@\"; echo; echo \"$MARK\"; echo last output >&2; exit 3",
            "sh",
            .. Odd]) { Environment = { ["MARK"] = "marked" } };
        IChild child = ManagedChild.TryStart(start, new OutputSink(lines.Take), out StartError? error)!;
        Assert.That(error, Is.Null);
        ProcessExit end = await child.Ended.Within("the end").ConfigureAwait(false);
        Assert.That((end.ExitCode, end.Signal, child.KilledHere), Is.EqualTo(((int?)3, (int?)null, false)));
        Assert.That(lines.Of(isError: false), Is.EqualTo(new[] { string.Join("|", Odd) + "|", "marked" }));
        Assert.That(lines.Of(isError: true), Is.EqualTo(new[] { "last output" }));
        Assert.That(child.Kill(atOnce: true), Is.False, "it has ended");
    }

    [Test]
    public async Task It_is_killed_once_and_its_end_is_reported_once()
    {
        var lines = new Lines();
        IChild child = ManagedChild.TryStart(Shell.Command("echo here; exec sleep 600"), new OutputSink(lines.Take), out _)!;
        await lines.First(l => l.Text == "here", "the child").ConfigureAwait(false);
        child.LookAtMemory(moved: true);
        Assert.That((child.Kill(atOnce: true), child.KilledHere), Is.EqualTo((true, true)));
        Assert.That((await child.Ended.Within("the end").ConfigureAwait(false)).IsSuccess, Is.False);
    }

    [Test]
    public void What_cannot_be_started_is_one_sentence()
    {
        Assert.That(ManagedChild.TryStart(new WorkerStartOptions("/no/such/program"), new OutputSink(null), out StartError? error),
            Is.Null);
        Assert.That((error!.Failure, error.Message.Contains("/no/such/program")), Is.EqualTo((StartFailure.NotFound, true)));
    }
}
