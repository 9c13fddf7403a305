using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

[TestFixture]
[Platform(Include = "Linux")]
internal sealed class ReplayInterruptTests
{
    [Test]
    public async Task An_interrupted_replay_compares_nothing()
    {
        for (int attempt = 1; !await IsInterruptedAsync(); attempt++)
        {
            // The signal came when all was replayed already.
            Assert.That(attempt, Is.LessThan(5), "it is over before it can be interrupted");
        }
    }

    private static async Task<bool> IsInterruptedAsync()
    {
        using Harness run = Harness.Start("replay", Repository.Workload("full20.binlog"), "--nodes", "4", "--summary", "{summary}");
        await Wait.UntilAsync(() => run.HasExited || run.Children().Length > 0, "a worker is there");
        Harness.Kill(run.ProcessId, "TERM");
        await run.EndAsync();
        if (run.ExitCode == 0)
        {
            return false;
        }

        Assert.That(run.ExitCode, Is.EqualTo(143), () => string.Join('\n', [.. run.Output, .. run.Errors]));
        Assert.That(run.Output, Has.None.Contains("equal"));
        Assert.That(run.Output[^1], Does.StartWith("interrupted: "));
        Assert.That(run.Summary().GetProperty("result").GetString(), Is.EqualTo("failed"));
        return true;
    }
}
