using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

[TestFixture]
[Platform(Include = "Linux")]
internal sealed class ReplayTests
{
    [TestCase("full20.binlog", 55_250, true, 6_000_000)]
    [TestCase("noop20.binlog", 53_550, true, 5_000_000)]
    [TestCase("noop20.binlog", 53_550, false, 62_000_000)]
    public async Task Every_field_of_a_recorded_build_arrives_from_two_workers(string file, int events, bool tables, long mostBytes)
    {
        string[] without = tables ? [] : ["--no-tables"];
        using Harness run = await Harness.RunAsync(
            ["replay", Repository.Workload(file), "--nodes", "2", "--summary", "{summary}", .. without]);

        Assert.That(run.ExitCode, Is.Zero, () => string.Join('\n', [.. run.Output, .. run.Errors]));
        JsonElement summary = run.Summary();
        JsonElement[] nodes = [.. summary.GetProperty("nodes").EnumerateArray()];
        Assert.That(nodes, Has.Length.EqualTo(2));
        foreach (JsonElement node in nodes)
        {
            BuildTests.AssertExact(node);
            Assert.That(node.GetProperty("events").GetInt32(), Is.EqualTo(events));
            Assert.That(node.GetProperty("hash").GetString(),
                Is.EqualTo(summary.GetProperty("expectedHash").GetString()).And.Length.EqualTo(64));
            Assert.That(node.GetProperty("bytes").GetInt64(), Is.LessThan(mostBytes).And.GreaterThan(mostBytes / 2));
        }
    }

    [Test]
    public async Task What_is_no_binary_log_is_said_to_be_none([Values("missing", "text", "empty", "cut", "gzip", "folder")] string kind)
    {
        using var folder = new TemporaryFolder();
        string file = Path.Combine(folder.Path, "a.binlog");
        byte[]? content = kind switch
        {
            "text" => "no log"u8.ToArray(),
            "empty" => [],
            "gzip" => [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3],
            "cut" => [.. File.ReadAllBytes(Repository.Workload("noop20.binlog")).Take(100_000)],
            _ => null,
        };
        if (content is not null)
        {
            File.WriteAllBytes(file, content);
        }

        if (kind == "folder")
        {
            Directory.CreateDirectory(file);
        }

        using Harness run = await Harness.RunAsync("replay", file, "--nodes", "1", "--summary", "{summary}");

        Assert.That(run.ExitCode, Is.EqualTo(2));
        Assert.That(run.Errors[0], kind is "text" or "empty" or "folder"
            ? Does.Contain("a.binlog is neither a binary log nor the directory of a journal: ") : Does.Not.Contain("neither"));
        Assert.That(run.Errors, Has.Length.EqualTo(1));
        Assert.That(run.Errors[0], Does.StartWith("buildharness: ").And.Contain("a.binlog"));
        Assert.That(run.Summary().GetProperty("result").GetString(), Is.EqualTo("failed"));
    }
}
