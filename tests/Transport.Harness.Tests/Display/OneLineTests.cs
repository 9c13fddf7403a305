using BuildHarness.Display;
using NUnit.Framework;

namespace BuildHarness.Tests.Display;

[TestFixture]
internal sealed class OneLineTests
{
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
}
