using System;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Building;
using BuildHarness.Commands;
using BuildHarness.Planning;
using BuildHarness.Summary;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport.MSBuild;
using Transport.Terminal;
using Transport.Testing;
using Transport.Testing.Wires;

namespace BuildHarness.Tests.Building;

/// <summary>A plan that cannot be made, for whatever reason, ends the build; one that takes long is reported.</summary>
[TestFixture]
[Platform(Include = "Linux")]
[NonParallelizable] // signals are the process's
internal sealed class PreparationFaultTests
{
    [Test]
    public async Task An_unexpected_exception_of_MSBuild_is_an_error_of_the_build_with_its_project()
    {
        var shown = new Lines();
        int exitCode = await BuildAsync(shown, stall: null, (_, _, _, _) => throw new AggregateException(new InvalidCastException("read badly")))
            .Within("the end of a build whose graph cannot be read");

        Assert.That(exitCode, Is.EqualTo(1));
        Assert.That(shown.All, Has.Some.Matches(
            @"/X\.proj : error: MSBuild could not read the project graph, InvalidCastException: read badly$"));
    }

    [Test]
    public async Task A_plan_that_takes_longer_than_the_stall_timeout_is_reported_while_it_is_made()
    {
        using var reported = new ManualResetEventSlim();
        var shown = new Lines();
        int exitCode = await BuildAsync(shown, TimeSpan.FromSeconds(0.2), (_, _, _, _) =>
        {
            Wait.UntilAsync(() => Array.Exists(shown.All, line => line.StartsWith("still reading ", StringComparison.Ordinal)),
                "the watchdog's line").GetAwaiter().GetResult();
            return new BuildPlan([], []);
        }).Within("the build");

        Assert.That(exitCode, Is.Zero);
        Assert.That(shown.All, Has.Some.Matches(@"^still reading .*X\.proj after \d+\.\d s; no project is planned yet$"));
    }

    private static async Task<int> BuildAsync(Lines shown, TimeSpan? stall, GraphReader read)
    {
        using var folder = new TemporaryFolder();
        using var interrupt = new Interrupt();
        var options = new BuildOptions
        {
            Path = folder.File("X.proj", "<Project />"), Nodes = 1, Restore = false, StallTimeout = stall,
        };
        return await new BuildCommand(
            options, Harness.DotNet, interrupt, shown, new SummaryDuty(null), TimeProvider.System, read).RunAsync();
    }
}
