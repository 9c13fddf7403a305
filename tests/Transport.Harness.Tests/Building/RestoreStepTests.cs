using System.IO;
using System.Linq;
using System.Runtime.Versioning;
using System.Threading.Tasks;
using BuildHarness.Building;
using BuildHarness.Commands;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport.MSBuild;
using Transport.Testing;
using Transport.Testing.Wires;

namespace BuildHarness.Tests.Building;

[TestFixture]
[Platform(Include = "Linux")]
internal sealed class RestoreStepTests
{
    [Test]
    public async Task A_message_of_several_lines_is_one_error()
    {
        using var folder = new TemporaryFolder();
        string project = folder.File("N.proj", """
            <Project><Target Name="Restore">
              <Warning Code="W1" Text="first" /><Warning Code="W1" Text="first" />
              <Error Code="NU1102" Text="Unable to find package Gone%0A  - Found 10 version(s) in one source%0A  - Found 0 in another" ContinueOnError="ErrorAndContinue" />
              <Error Text="without a code" />
            </Target></Project>
            """);
        var shown = new Lines();
        var feed = new EventFeed(shown, log: null, BuildVerbosity.Minimal);

        bool restored = await new RestoreStep(new BuildOptions { Path = project, Nodes = 1 }, Harness.DotNet, feed, _ => { }).RunAsync(default)
            .Within("the restore");

        Assert.That(restored, Is.False);
        Assert.That((feed.Errors, feed.Warnings), Is.EqualTo((2L, 2L)), () => string.Join('\n', shown.All));
        Assert.That(shown.All.Where(line => line.Contains("NU1102")), Has.Exactly(3).Items, "each line has the head");
    }

    [Test]
    public async Task What_MSBuild_says_before_any_logger_is_why_it_failed()
    {
        using var folder = new TemporaryFolder();
        var shown = new Lines();
        var feed = new EventFeed(shown, log: null, BuildVerbosity.Minimal);
        var options = new BuildOptions { Path = folder.File("gone/N.proj", "<Project />") + "x", Nodes = 1 };

        Assert.That(await new RestoreStep(options, Harness.DotNet, feed, _ => { }).RunAsync(default).Within("the restore"), Is.False);
        Assert.That((feed.Errors, feed.Warnings), Is.EqualTo((1L, 1L)), () => string.Join('\n', shown.All));
        Assert.That(shown.All, Has.Some.Contains("dotnet restore failed (exit 1)").And.Some.Contains("MSB1009"));
    }

    /// <summary>Without a home, as a user of a container, dotnet throws: the cause was cut off, and the frames of its stack shown.</summary>
    [Test]
    [Platform("Linux")]
    [SupportedOSPlatform("linux")]
    public async Task Of_a_failure_with_a_stack_the_first_lines_are_repeated_and_no_frame()
    {
        using var folder = new TemporaryFolder();
        string dotnet = folder.File("dotnet", """
            #!/bin/sh
            echo "Unhandled exception. System.InvalidOperationException: Required environment variable 'HOME' is not set." >&2
            for frame in 1 2 3 4 5; do echo "   at Microsoft.DotNet.Cli.Frame$frame()" >&2; done
            exit 134
            """);
        File.SetUnixFileMode(dotnet, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        var shown = new Lines();
        var feed = new EventFeed(shown, log: null, BuildVerbosity.Minimal);
        var options = new BuildOptions { Path = folder.File("N.proj", "<Project />"), Nodes = 1 };

        Assert.That(await new RestoreStep(options, dotnet, feed, _ => { }).RunAsync(default).Within("the restore"), Is.False);
        Assert.That(shown.All, Has.Some.Contains("dotnet restore failed (exit 134): Unhandled exception. System.InvalidOperationException: "
            + "Required environment variable 'HOME' is not set.").And.None.Contains("Frame"));
    }
}
