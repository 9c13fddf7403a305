using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Docs.Tests;

/// <summary>A page of the guide shows a sample as it is, and what it prints.</summary>
[TestFixture("docs/guide/workers.md", "Ask", "Ask")]
[TestFixture("docs/guide/calls.md", "Calls", "Calls")]
[TestFixture("docs/guide/messagepack.md", "MessagePackTypes", "MessagePackTypes")]
[TestFixture("docs/guide/pools.md", "Pool", "Pool")]
[TestFixture("docs/guide/crashes.md", "Crash", "Crash")]
[TestFixture("docs/guide/journal.md", "KeepPackets", "KeepPackets")]
[TestFixture("docs/guide/spill.md", "SpillWhileAway", "SpillWhileAway")]
[TestFixture("docs/guide/hosting.md", "Hosted/Main", "HostedMain")]
[TestFixture("docs/guide/hosting.md", "Hosted/Worker", null)]
internal sealed class GuideTests(string name, string sample, string? program)
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly Page _page = new(name);

    [Test]
    public void It_shows_all_of_the_sample()
    {
        foreach (string file in Directory.EnumerateFiles(Path.Combine(Repository.Root, "samples", sample), "*.cs"))
        {
            Assert.That(_page.Text, Does.Contain(Page.Listing(file)), Path.GetFileName(file));
        }
    }

    /// <summary>A line … stands for any lines, and a … within a line for any characters. Lines of two processes have no common order, so
    /// they are compared as sets if the page says so.</summary>
    [Test]
    public async Task The_sample_prints_what_the_page_shows()
    {
        if (program is null)
        {
            Assert.Pass("the other program of the page starts this one");
        }

        string shown = Regex.Match(_page.Text, "^```text\n(?<text>.*?)^```", RegexOptions.Multiline | RegexOptions.Singleline
            | RegexOptions.ExplicitCapture, TimeSpan.FromSeconds(10)).Groups["text"].Value;
        using var process = Process.Start(new ProcessStartInfo(
            Path.Combine(AppContext.BaseDirectory, program!)) { RedirectStandardOutput = true, UseShellExecute = false })!;
        Task<string> reading = process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync().WaitAsync(Patience);
        string printed = (await reading.WaitAsync(Patience)).Replace("\r\n", "\n", StringComparison.Ordinal);
        Assert.That(process.ExitCode, Is.Zero, printed);
        if (_page.Text.Contains("in either order", StringComparison.Ordinal))
        {
            Assert.That(printed.Split('\n'), Is.EquivalentTo(shown.Split('\n')));
            return;
        }

        string pattern = string.Concat(shown.Split('\n').SkipLast(1).Select(line => line == "…" ? "(?:.*\n)*" : LinePattern(line) + "\n"));
        Assert.That(printed, Does.Match("^" + pattern + "$"));
    }

    private static string LinePattern(string line) => string.Join(".*", line.Split('…').Select(Regex.Escape));
}
