using System.Collections.Generic;
using System.IO;
using BuildHarness.Building;
using BuildHarness.Commands;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Building;

[TestFixture]
internal sealed class ResponseFileTests
{
    [Test]
    public void The_nearest_response_file_counts_and_the_command_line_wins()
    {
        using var folder = new TemporaryFolder();
        folder.File("Directory.Build.rsp", "-p:Far=1\n");
        folder.File("a/Directory.Build.rsp",
            "# a comment\n-p:V=\"x;y\";W=1  /nowarn:X1\n\n\"-p:Here=%MSBuildThisFileDirectory%b c\"\n-t:Rebuild -m:4 -bl\n");
        string solution = folder.File("a/b/All.slnx", "<Solution />");
        var said = new List<string>();
        BuildOptions options = ResponseFile.AddTo(
            new BuildOptions { Path = solution, Nodes = 1, Properties = [new("W", "2")] }, said.Add);

        Dictionary<string, string> properties = options.GlobalProperties();
        Assert.That(properties["V"], Is.EqualTo("x;y"));
        Assert.That(properties["W"], Is.EqualTo("2"));
        Assert.That(properties["Here"], Is.EqualTo(Path.Combine(folder.Path, "a") + "/b c"));
        Assert.That(options.Severities.AsMessages, Is.EqualTo(new[] { "X1" }));
        Assert.That(properties, Does.Not.ContainKey("Far"));
        Assert.That(options.Targets, Is.EqualTo(new[] { "Rebuild" }));
        Assert.That(said, Has.Count.EqualTo(1));
        Assert.That(said[0], Does.EndWith("/a/Directory.Build.rsp: these switches have no effect here: -m:4 -bl"));
    }

    [Test]
    public void A_wrong_switch_is_a_mistake_that_names_the_file()
    {
        using var folder = new TemporaryFolder();
        string file = folder.File("Directory.Build.rsp", "-p:A=1;B\n");
        var options = new BuildOptions { Path = folder.File("All.slnx", "<Solution />"), Nodes = 1 };

        Assert.That(() => ResponseFile.AddTo(options, _ => { }),
            Throws.TypeOf<HarnessException>().With.Message.StartsWith(file + ": -p:A=1;B: "));
    }
}
