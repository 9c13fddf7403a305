using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

[TestFixture]
[Platform(Include = "Linux")]
internal sealed class LogEndTests
{
    [Test]
    public async Task The_log_of_a_successful_build_names_no_failed_or_cancelled_one()
    {
        using var folder = new TemporaryFolder();
        string solution = PlainProjects.Four(folder, b: string.Empty);
        string log = Path.Combine(folder.Path, "events.log");
        using Harness run = await Harness.RunAsync("build", solution, "--nodes", "2", "--no-restore", "--log", log);

        Assert.That(run.ExitCode, Is.Zero, () => string.Join('\n', [.. run.Output, .. run.Errors]));
        string[] ends = [.. File.ReadAllLines(log).Where(l => l.Contains(" BuildFinished: ") || l.Contains(" BuildCanceled: "))];
        Assert.That(ends, Is.Not.Empty.And.All.Contains("BuildFinished: Build succeeded"));
    }
}
