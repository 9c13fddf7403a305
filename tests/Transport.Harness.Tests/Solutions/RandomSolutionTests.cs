using System;
using System.Globalization;
using System.IO;
using System.Threading.Tasks;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport;
using Transport.Testing;

namespace BuildHarness.Tests.Solutions;

/// <summary>Random solutions by <c>dotnet build</c> and by the harness (solutions.py): exit codes, files, diagnostics, and how often each
/// target ran. By day two that are known, at night hours of new ones.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class RandomSolutionTests
{
    private const string Python = "/usr/bin/python3";

    [TestCase(1016)]
    [TestCase(908969265)]
    public Task A_solution_is_built_as_by_dotnet_build(int seed) =>
        PlayAsync("--plain", "--only", seed.ToString(CultureInfo.InvariantCulture));

    [Test]
    public Task Random_solutions_are_built_as_by_dotnet_build()
    {
        Nightly.Only("an hour of new solutions");
        return PlayAsync("--rounds", "150", "--seed", Random.Shared.Next(1, 1_000_000_000).ToString(CultureInfo.InvariantCulture));
    }

    private static async Task PlayAsync(params string[] how)
    {
        if (!File.Exists(Python))
        {
            Assert.Ignore("needs python3, which draws the solutions");
        }

        using var folder = new TemporaryFolder();
        var said = new StringWriter();
        string script = Path.Combine(Repository.Root, "tests", "Transport.Harness.Tests", "Solutions", "solutions.py");
        string harness = $"{Harness.DotNet} {Path.Combine(TestContext.CurrentContext.TestDirectory, "buildharness.dll")}";
        ChildProcess child = ChildProcess.Start(new ProcessStartOptions(Python, [script, harness, "--keep", folder.Path, .. how])
        {
            OwnProcessGroup = true, Output = line => said.WriteLine(line.Text),
        });
        ProcessExit end = await child.WaitForExitAsync();
        TestContext.Out.WriteLine(said);
        Assert.That(end.IsSuccess, Is.True, () => $"{end}\n{said}");
    }
}
