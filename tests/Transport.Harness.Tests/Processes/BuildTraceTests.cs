using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

/// <summary><c>build --trace</c>.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class BuildTraceTests
{
    [Test]
    public async Task A_trace_has_every_project_on_its_node_and_what_the_link_wrote_meanwhile()
    {
        using var folder = new TemporaryFolder();
        string solution = new SolutionWriter(1, 1).Write(folder.Path), file = Path.Combine(folder.Path, "trace.json");
        using Harness run = await Harness.RunAsync("build", solution, "--nodes", "2", "--summary", "{summary}", "--trace", file);

        Assert.That(run.ExitCode, Is.Zero, () => string.Join('\n', [.. run.Output, .. run.Errors]));
        using var trace = JsonDocument.Parse(await File.ReadAllTextAsync(file));
        JsonElement[] events = [.. trace.RootElement.GetProperty("traceEvents").EnumerateArray()];
        Dictionary<int, string> groups = events.Where(e => IsEvent(e, "M", "process_name"))
            .ToDictionary(e => e.GetProperty("pid").GetInt32(), e => e.GetProperty("args").GetProperty("name").GetString()!);
        string[] built = [.. run.Summary().GetProperty("projects").EnumerateArray()
            .Select(p => $"{p.GetProperty("node").GetString()} {Path.GetFileNameWithoutExtension(p.GetProperty("path").GetString())}")
            .Order(StringComparer.Ordinal)];
        JsonElement[] projects = [.. events.Where(e => e.GetProperty("ph").GetString() == "X" && Detail(e) == "succeeded")];
        Assert.That(projects.Select(p => $"{groups[p.GetProperty("pid").GetInt32()]} {p.GetProperty("name").GetString()!.Split(' ')[0]}")
            .Distinct().Order(StringComparer.Ordinal), Is.EqualTo(built));

        JsonElement[] writes = [.. events.Where(e => IsEvent(e, "X", "write"))];
        Assert.That(writes.Select(Detail), Is.Not.Empty.And.All.Matches(@"^\d+ writes, \d+ bytes$"));
        foreach (JsonElement project in projects)
        {
            Assert.That(writes.Any(w => w.GetProperty("pid").GetInt32() == project.GetProperty("pid").GetInt32() && From(w) < To(project)
                && To(w) > From(project) - 20_000), Is.True, $"{project} sends thousands of events");
        }

        int queues = events.Count(e => IsEvent(e, "C", "queued at the worker, bytes"));
        Assert.That(queues, Is.Positive.And.EqualTo(events.Count(e => IsEvent(e, "C", "queued at the main node, bytes"))));
    }

    [Test]
    public async Task A_trace_that_cannot_be_written_is_reported_at_once()
    {
        using var folder = new TemporaryFolder();
        string solution = new SolutionWriter(1, 1).Write(folder.Path);
        using Harness run = await Harness.RunAsync(
            "build", solution, "--nodes", "1", "--trace", Path.Combine(folder.Path, "none", "trace.json"));

        Assert.That(run.ExitCode, Is.EqualTo(3));
        Assert.That(run.Errors, Has.Length.EqualTo(1).And.Some.Contains("trace.json: "));
    }

    private static bool IsEvent(JsonElement e, string phase, string name) => e.GetProperty("ph").GetString() == phase
        && e.GetProperty("name").GetString() == name;

    private static string? Detail(JsonElement e) => e.TryGetProperty("args", out JsonElement args)
        && args.TryGetProperty("what", out JsonElement what) ? what.GetString() : null;

    private static double From(JsonElement e) => e.GetProperty("ts").GetDouble();

    private static double To(JsonElement e) => From(e) + e.GetProperty("dur").GetDouble();
}
