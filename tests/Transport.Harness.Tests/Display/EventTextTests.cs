using BuildHarness.Display;
using BuildHarness.Events;
using BuildHarness.Graph;
using NUnit.Framework;

namespace BuildHarness.Tests.Display;

[TestFixture]
internal sealed class EventTextTests
{
    [TestCase("/a/x.cs", 3, 4, 0, 0, "/a/x.cs(3,4): warning CS1: bad [/a/a.csproj]")]
    [TestCase("/a/x.cs", 3, 0, 0, 0, "/a/x.cs(3): warning CS1: bad [/a/a.csproj]")]
    [TestCase("/a/x.cs", 3, 4, 5, 6, "/a/x.cs(3,4,5,6): warning CS1: bad [/a/a.csproj]")]
    [TestCase("/a/x.cs", 3, 4, 0, 6, "/a/x.cs(3,4-6): warning CS1: bad [/a/a.csproj]")]
    [TestCase("/a/x.cs", 0, 0, 0, 0, "/a/x.cs : warning CS1: bad [/a/a.csproj]")]
    [TestCase("x.cs", 3, 4, 0, 0, "/a/x.cs(3,4): warning CS1: bad [/a/a.csproj]")]
    [TestCase(null, 0, 0, 0, 0, "MSBUILD : warning CS1: bad [/a/a.csproj]")]
    public void A_warning_has_the_form_that_editors_know(string? file, int line, int column, int endLine, int endColumn, string expected) =>
        Assert.That(EventText.Of(Warning(file, line, column, endLine, endColumn)), Is.EqualTo(expected));

    [TestCase(true, "/a/a.csproj", "[/a/a.csproj::TargetFramework=net10.0]")]
    [TestCase(false, "/a/a.csproj", "[/a/a.csproj]")]
    [TestCase(true, "/b/b.csproj", "[/a/a.csproj]")]
    public void Only_one_of_several_frameworks_is_named_after_its_project(bool isInner, string building, string expected)
    {
        var project = new PlannedProject(0, building, "net10.0", [], []) { IsInner = isInner };
        Assert.That(EventText.Of(Warning("x.cs", 3, 4, 0, 0), project), Is.EqualTo("/a/x.cs(3,4): warning CS1: bad " + expected));
    }

    [Test]
    public void Of_a_line_that_nobody_can_read_the_beginning_is_shown_and_no_half_character()
    {
        Assert.That(OneLine.Shorten(new string('x', 4096)), Is.EqualTo(new string('x', 4096)));
        Assert.That(OneLine.Shorten(new string('x', 5_000_011)), Is.EqualTo(new string('x', 4096) + "… (5,000,011 characters)"));
        Assert.That(OneLine.Shorten(new string('x', 4095) + "\U0001F600!"), Is.EqualTo(new string('x', 4095) + "… (4,098 characters)"));
    }

    [TestCase(0, "0 warnings")]
    [TestCase(1, "1 warning")]
    [TestCase(1000, "1000 warnings")]
    public void One_is_no_plural(long number, string text) => Assert.That(Counted.Of(number, "warning"), Is.EqualTo(text));

    [TestCase("plain", "plain")]
    [TestCase("tab\tstays", "tab\tstays")]
    [TestCase("\u001b[2Jgone", "\\u001b[2Jgone")]
    [TestCase("bell\a", "bell\\u0007")]
    [TestCase("turn\u202earound", "turn\\u202earound")]
    public void Control_characters_are_shown_not_obeyed(string text, string shown) => Assert.That(OneLine.Escape(text), Is.EqualTo(shown));

    [Test]
    public void Each_line_of_a_text_is_a_line() => Assert.That(OneLine.Split("a\r\nb\nc\rd"), Is.EqualTo(new[] { "a", "b", "c", "d" }));

    private static BuildEvent Warning(string? file, long line, long column, long endLine, long endColumn) => new()
    {
        Kind = EventKind.Warning,
        Message = "bad",
        Fields = [null, "CS1", file, line, column, endLine, endColumn, "/a/a.csproj", null],
    };
}
