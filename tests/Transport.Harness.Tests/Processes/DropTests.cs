using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

/// <summary>A harness that stands still while a worker of which a lane drops goes on: the summary against the book that the worker kept
/// itself.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class DropTests
{
    private static readonly string[] Levels = ["Trace", "Debug", "Information", "Warning", "Error", "Critical", "None"];

    [TestCase("unix")]
    [TestCase("pipe")]
    public async Task The_summary_counts_drops_to_the_packet_and_by_level(string wire)
    {
        using var folder = new TemporaryFolder();
        string book = Path.Combine(folder.Path, "book");
        string[] worker = [Harness.DotNet, Harness.Helper, "worker-drop", book];
        using Harness run = Harness.Start(["run", "--wire", wire, "--summary", "{summary}", "--", .. worker]);
        await run.SaysAsync(line => line.Contains("mmmm", System.StringComparison.Ordinal));
        Harness.Kill(run.ProcessId, "STOP");
        try
        {
            await Wait.UntilAsync(() => File.Exists(book + ".full"), "each level was dropped", seconds: 90);
        }
        finally
        {
            Harness.Kill(run.ProcessId, "CONT");
        }

        await File.WriteAllTextAsync(book + ".go", string.Empty);
        await run.EndAsync();

        Assert.That(run.ExitCode, Is.Zero, () => string.Join('\n', run.Errors));
        string[] lines = await File.ReadAllLinesAsync(book);
        long[] queued = Row(lines[0]), dropped = Row(lines[1]);
        JsonElement node = run.Summary().GetProperty("nodes")[0];
        Assert.Multiple(() =>
        {
            Assert.That(new[] { "sent", "received", "acknowledged" }.Select(name => node.GetProperty(name).GetInt64()),
                Is.All.EqualTo(queued.Sum()));
            Assert.That(node.GetProperty("events").GetInt64(), Is.EqualTo(queued[..6].Sum()),
                "those without a level are of a type that nobody takes");
            Assert.That(node.GetProperty("exitReport").GetProperty("unhandled").GetInt64(), Is.EqualTo(queued[6]));
            Assert.That(node.GetProperty("dropped").GetInt64(), Is.EqualTo(dropped.Sum()));
            Assert.That(node.GetProperty("droppedByLevel").EnumerateObject().ToDictionary(one => one.Name, one => one.Value.GetInt64()),
                Is.EquivalentTo(Levels.Zip(dropped).ToDictionary(one => one.First, one => one.Second)));
            Assert.That(run.Output.Count(line => line.Contains("mmmm", System.StringComparison.Ordinal)), Is.EqualTo(queued[..6].Sum()),
                "and as many lines are shown");
        });
    }

    private static long[] Row(string line) => [.. line.Split(' ').Select(number => long.Parse(number, CultureInfo.InvariantCulture))];
}
