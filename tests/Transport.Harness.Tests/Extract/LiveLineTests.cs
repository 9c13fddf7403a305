using System;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Extract;
using BuildHarness.Tests.Archives;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport.Files;
using Transport.Testing;

namespace BuildHarness.Tests.Extract;

[TestFixture]
internal sealed class LiveLineTests
{
    [TestCase(80, "1,234 files, 5,678,901 bytes, 2.5 s  usr/share/doc/a\\u001b[2J")]
    [TestCase(50, "1,234 files, 5,678,901 bytes, 2.5 s  …/a\\u001b[2J")]
    [TestCase(20, "1,234 files, 5,678,")]
    [TestCase(1, "")]
    public void It_keeps_the_end_of_the_path_and_never_breaks_the_line(int width, string text) =>
        Assert.That(LiveLine.Text(new FileProgress { Files = 1234, Bytes = 5_678_901, Current = "usr/share/doc/a\u001b[2J" },
            TimeSpan.FromSeconds(2.5), width), Is.EqualTo(text));

    [Test]
    [Platform(Include = "Linux")]
    public async Task A_terminal_shows_how_far_it_is_and_then_what_was_done()
    {
        if (Extracting.Find("script") is null)
        {
            Assert.Ignore("needs script (Debian: bsdutils)");
        }

        using var folder = new TemporaryFolder();
        string archive = Path.Combine(folder.Path, "archive");
        File.WriteAllBytes(archive, ZipBytes.Of([.. Enumerable.Range(0, 1500).Select(i => new ZipItem($"{i % 50}/file{i}", "content"))]));
        string program = Path.Combine(TestContext.CurrentContext.TestDirectory, "buildharness.dll");

        (int exitCode, string output) = await Extracting.RunAsync(
            "script", folder.Path, "-qec", $"{Harness.DotNet} {program} extract archive target --sync data", "/dev/null");

        Assert.That(exitCode, Is.Zero, output);
        Assert.That(output, Does.Match(@"\r\u001b\[K[\d,]+ files, [\d,]+ bytes, \d+\.\d s  \d+/file\d+"));
        Assert.That(output, Does.Match(@"\r\u001b\[Ksucceeded: 1500 files, 10500 bytes, \d+\.\d s\r?\n$"));
    }
}
