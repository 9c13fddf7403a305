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
/// target ran. By day some that compile nothing, at night hours.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class RandomSolutionTests
{
    private const string Python = "/usr/bin/python3";

    [Test]
    public async Task A_random_solution_is_built_as_by_dotnet_build()
    {
        if (!File.Exists(Python))
        {
            Assert.Ignore("needs python3, which draws the solutions");
        }

        string seed = Random.Shared.Next(1, 1_000_000_000).ToString(CultureInfo.InvariantCulture);
        string[] how = Nightly.IsOn ? ["--rounds", "150"] : ["--rounds", "2", "--plain"];
        using var folder = new TemporaryFolder();
        var said = new StringWriter();
        string script = Path.Combine(Repository.Root, "tests", "Transport.Harness.Tests", "Solutions", "solutions.py");
        string harness = $"{Harness.DotNet} {Path.Combine(TestContext.CurrentContext.TestDirectory, "buildharness.dll")}";
        ChildProcess child = ChildProcess.Start(new ProcessStartOptions(
            Python, [script, harness, "--seed", seed, "--keep", folder.Path, .. how])
        {
            OwnProcessGroup = true, Output = line => said.WriteLine(line.Text),
        });
        ProcessExit end = await child.WaitForExitAsync();
        TestContext.Out.WriteLine(said);
        Assert.That(end.IsSuccess, Is.True, () => $"seed {seed}: {end}\n{said}");
    }
}
