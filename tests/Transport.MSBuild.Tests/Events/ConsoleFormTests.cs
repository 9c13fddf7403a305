using System.Collections.Generic;
using System.Linq;
using System.Text;
using Microsoft.Build.Framework;
using Microsoft.Build.Logging;
using NUnit.Framework;

namespace Transport.MSBuild.Tests.Events;

/// <summary>Diagnostics stand as MSBuild's own console logger writes them.</summary>
internal sealed class ConsoleFormTests
{
    private const string Project = "/a/a.csproj";

    [Test]
    public void Every_shape_of_a_diagnostic_is_written_as_the_console_logger_writes_it()
    {
        string?[] files = [null, "", "a.c", "/a/b c/ä.cs", "EXEC", Project, "a.csproj"];
        (int, int, int, int)[] places = [(0, 0, 0, 0), (3, 0, 0, 0), (3, 4, 0, 0), (3, 0, 5, 0), (3, 4, 0, 6), (3, 4, 5, 0), (3, 4, 5, 6), (0, 4, 0, 0)];
        string?[] codes = ["X1", null, ""], subcategories = [null, "compiler"];
        string?[] messages = ["bad", "first\nsecond\n  third", "first\r\nsecond", "", "ends\n", "%20 {0} {{1}}"];
        var shapes = new List<(string?, (int, int, int, int), string?, string?, string?)>();
        foreach (string? file in files)
        {
            shapes.AddRange(places.Select(place => (file, place, (string?)"X1", (string?)null, (string?)"bad")));
        }

        shapes.AddRange(from code in codes from sub in subcategories from message in messages
                        select ((string?)"a.c", (3, 4, 0, 0), code, sub, message));
        Assert.That(shapes, Has.Count.GreaterThan(90));
        Assert.Multiple(() =>
        {
            foreach ((string? file, (int line, int column, int endLine, int endColumn), string? code, string? sub, string? message) in shapes)
            {
                BuildEventArgs[] all =
                [
                    new BuildWarningEventArgs(sub, code, file, line, column, endLine, endColumn, message, null, null) { ProjectFile = Project },
                    new BuildErrorEventArgs(sub, code, file, line, column, endLine, endColumn, message, null, null) { ProjectFile = Project },
                ];
                foreach (BuildEventArgs args in all)
                {
                    args.BuildEventContext = new BuildEventContext(1, 2, 3, 4);
                    Assert.That(BuildEventText.Of(new BuildEventReader().Read(args)), Is.EqualTo(OfConsole(args)),
                        $"{file} {line} {column} {endLine} {endColumn} {code} {sub} {message}");
                }
            }
        });
    }

    /// <summary>A line that begins with what a build wrote can be a command to GitHub or Azure.</summary>
    [TestCase("first\r##vso[task.x]y", "a.c")]
    [TestCase("first\n::add-mask::y\r\n##[z]", "a.c")]
    [TestCase("bad", "a.c\n##vso[task.x]y")]
    [TestCase("bad", "a.c\r::add-mask::y")]
    public void No_line_of_a_diagnostic_begins_with_what_the_build_wrote(string message, string file)
    {
        var args = new BuildWarningEventArgs(null, "X1\n::stop", file, 3, 4, 0, 0, message, null, null) { ProjectFile = "/p\n##vso[y]" };
        IReadOnlyList<string> lines = TerminalText.Lines(BuildEventText.Of(new BuildEventReader().Read(args)));
        Assert.That(lines, Is.All.StartWith("a.c"));
        Assert.That(lines, Has.Count.EqualTo(message.Replace("\r\n", "\n").Split('\r', '\n').Length));
    }

    private static string OfConsole(BuildEventArgs args)
    {
        var text = new StringBuilder();
        var logger = new ConsoleLogger(LoggerVerbosity.Quiet, line => text.Append(line), _ => { }, () => { })
        {
            Parameters = "SHOWPROJECTFILE=TRUE;DISABLEMPLOGGING;NOSUMMARY",
        };
        var source = new ReplaySource();
        logger.Initialize(source);
        source.Raise(args);
        logger.Shutdown();
        string said = text.ToString();
        return said.EndsWith('\n') ? said[..^1] : said;
    }
}
