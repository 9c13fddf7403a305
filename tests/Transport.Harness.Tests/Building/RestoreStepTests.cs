using System;
using System.IO;
using System.Runtime.Versioning;
using System.Threading.Tasks;
using BuildHarness.Building;
using BuildHarness.Commands;
using NUnit.Framework;
using Transport.MSBuild;
using Transport.Testing;
using Transport.Testing.Wires;

namespace BuildHarness.Tests.Building;

[TestFixture]
[Platform(Include = "Linux")]
[SupportedOSPlatform("linux")]
internal sealed class RestoreStepTests
{
    [Test]
    public async Task A_message_of_several_lines_is_one_error()
    {
        string[] lines =
        [
            "/a/N.csproj : error NU1102: Unable to find package Gone with version (>= 99.0.0)",
            "/a/N.csproj : error NU1102:   - Found 10 version(s) in one source [ Nearest version: 14.0.1 ]",
            "/a/N.csproj : error NU1102:   - Found 0 version(s) in another",
            "/a/N.csproj : error NU1102: Unable to find package Lost with version (>= 1.0.0)",
            "/a/P.proj(2,24): error : without a code",
        ];
        var shown = new Lines();
        var feed = new EventFeed(shown, log: null, BuildVerbosity.Minimal);
        using var folder = new TemporaryFolder();
        string program = folder.File("restore", $"#!/bin/sh\ncat <<'EOF'\n{string.Join('\n', lines)}\nEOF\nexit 1\n");
        File.SetUnixFileMode(program, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        var options = new BuildOptions { Path = "/a/N.csproj", Nodes = 1 };

        Assert.That(await new RestoreStep(options, program, feed, _ => { }).RunAsync(default).Within("the restore"), Is.False);
        Assert.That(shown.All, Is.EqualTo(lines));
        Assert.That((feed.Errors, feed.Warnings), Is.EqualTo((3, 0)));
    }
}
