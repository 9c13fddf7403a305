using System;
using System.IO;
using System.Linq;
using NUnit.Framework;
using Transport.Tests.Architecture;

namespace Transport.Tests.Readme;

/// <summary>What the README shows is what is compiled and tested.</summary>
internal sealed class ReadmeTests
{
    private static string Readme => Text("README.md");

    [TestCase("samples/LogTail/Main/Program.cs")]
    [TestCase("samples/LogTail/Worker/Program.cs")]
    public void The_quick_start_is_the_sample(string file) => Assert.That(Readme, Does.Contain(Text(file).Trim()));

    [Test]
    public void The_quick_start_is_over_by_line_30_and_begins_by_line_10()
    {
        string[] lines = Readme.Split('\n');
        int first = Array.FindIndex(lines, l => l.StartsWith("```csharp", StringComparison.Ordinal)) + 1;
        int last = Array.FindIndex(lines, first, l => l.StartsWith("```", StringComparison.Ordinal));
        Assert.That((first < 10, last <= 30), Is.EqualTo((true, true)), $"from line {first + 1} to line {last}");
    }

    [Test]
    public void The_packet_of_your_own_is_compiled_here()
    {
        string code = Text("tests/Transport.Tests/Readme/Artifact.cs");
        Assert.That(Readme, Does.Contain(code.Substring(code.IndexOf('\n') + 1).Trim()));
    }

    [Test]
    public void It_is_read_in_a_minute()
    {
        string[] lines = Readme.TrimEnd().Split('\n');
        Assert.That(lines, Has.Length.LessThanOrEqualTo(120));
        Assert.That(lines.Where(line => line.Length > 200), Is.Empty);
    }

    private static string Text(string file) => File.ReadAllText(Path.Combine(Sources.Root, file)).Replace("\r\n", "\n");
}
