using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

/// <summary>Builds in a sandbox without sockets (tests/clients/nosock.c).</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class SandboxTests
{
    private TemporaryFolder _folder = null!;
    private string _sandbox = null!;

    [SetUp]
    public async Task Compile()
    {
        _folder = new TemporaryFolder();
        _sandbox = await CompiledC.Program(_folder.Path, CompiledC.Sandbox);
    }

    [TearDown]
    public void RemoveFolder() => _folder.Dispose();

    [Test]
    public async Task A_solution_is_built_with_all_its_events_where_dotnet_build_with_two_nodes_fails()
    {
        string solution = new SolutionWriter(libraries: 2, layers: 1).Write(Path.Combine(_folder.Path, "solution"));
        using Harness run = await Harness.RunUnderAsync(
            $"set -- {_sandbox} \"$@\"", "build", solution, "--nodes", "2", "--summary", "{summary}", "--journal",
            Path.Combine(_folder.Path, "journal"));
        TestContext.Out.WriteLine(string.Join('\n', [.. run.Output, .. run.Errors]));
        Assert.That(run.ExitCode, Is.Zero);
        Assert.That(Directory.GetFiles(_folder.Path, "App.dll", SearchOption.AllDirectories), Is.Not.Empty);
        Assert.That(
            run.Summary().GetProperty("nodes").EnumerateArray().Select(n => n.GetProperty("end").GetString()), Is.All.EqualTo("clean"));

        // What it is compared with is shown and not asserted: another SDK may do better.
        Directory.Delete(Path.Combine(_folder.Path, "solution"), recursive: true);
        _ = new SolutionWriter(libraries: 2, layers: 1).Write(Path.Combine(_folder.Path, "solution"));
        string[] lines = await DotnetBuild.RunUnderAsync(_sandbox, solution, "-m:2");
        TestContext.Out.WriteLine($"dotnet build -m:2 there:\n{string.Join('\n', lines.TakeLast(6))}");
    }
}
