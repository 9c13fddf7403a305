using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Servers;

namespace BuildHarness.Tests.Farm;

/// <summary>Agents on machines of their own, as far as the network goes, of which one is cut off in mid-build.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class CutOffTests
{
    /// <summary>What each project writes into the log, by a task: the ledger is known beforehand.</summary>
    private const int Entries = 200;

    private static readonly int Libraries = Nightly.Rounds(nightly: 19, otherwise: 3), Layers = Nightly.Rounds(nightly: 4, otherwise: 2);
    private static readonly TimeSpan Away = TimeSpan.FromSeconds(5);

    [Test]
    public async Task A_build_by_two_machines_of_which_one_is_cut_off_is_that_of_one_machine()
    {
        using var machines = new Machines(2);
        await using NatsServer server = await NatsServer.StartAsync(address: machines.Home);
        using var folder = new TemporaryFolder();
        string solution = new SolutionWriter(Libraries, Layers).Write(folder.Path);
        IEnumerable<string> items = Enumerable.Range(1, Entries).Select(i => FormattableString.Invariant($"<Entry Include=\"{i}\" />"));
        folder.File("Directory.Build.targets", $"""
            <Project>
              <ItemGroup>{string.Concat(items)}</ItemGroup>
              <Target Name="Ledger" AfterTargets="CoreCompile"><Message Text="entry $(MSBuildProjectName) %(Entry.Identity)." /></Target>
            </Project>
            """);
        using Harness restored = await Harness.RunAsync("build", solution, "--nodes", "2");
        Assert.That(restored.ExitCode, Is.Zero, () => string.Join('\n', [.. restored.Output, .. restored.Errors]));
        Dictionary<string, string> local = Outputs(folder.Path);
        foreach (string outputs in Directory.GetDirectories(folder.Path, "Debug", SearchOption.AllDirectories))
        {
            Directory.Delete(outputs, recursive: true);
        }

        string log = Path.Combine(folder.Path, "events.log");
        using Harness first = Harness.StartIn(machines.Names[0], Agent("b1"));
        using Harness second = Harness.StartIn(machines.Names[1], Agent("b2"));
        foreach (Harness agent in new[] { first, second })
        {
            await agent.SaysAsync(line => line.Contains("lends them", StringComparison.Ordinal));
        }

        using Harness build = Harness.Start(
            "build", solution, "--no-restore", "--farm", server.Url, "--summary", "{summary}", "--log", log);
        await first.SaysAsync(line => line.Contains(" is lent to build", StringComparison.Ordinal));
        machines.Cut(1, isOff: true);
        using (var away = new PeriodicTimer(Away))
        {
            await away.WaitForNextTickAsync();
        }

        machines.Cut(1, isOff: false);
        await build.EndAsync();
        Harness.Kill(first.ProcessId, "TERM");
        Harness.Kill(second.ProcessId, "TERM");
        await Task.WhenAll(first.EndAsync(), second.EndAsync());

        Assert.That(build.ExitCode, Is.Zero, () => string.Join('\n', [.. build.Output, .. build.Errors, "b1:", .. first.Output, "b2:",
            .. second.Output]));
        JsonElement summary = build.Summary();
        FarmRig.AssertWhole(summary);
        Assert.That(summary.GetProperty("agents").GetArrayLength(), Is.EqualTo(2), "both had a part in it");
        Assert.That(FarmRig.Results(build), Is.All.EndsWith(" succeeded 1"));
        string[] entries = [.. File.ReadLines(log).Where(line => line.Contains(" entry ", StringComparison.Ordinal))
            .Select(line => line[line.IndexOf("entry ", StringComparison.Ordinal)..])];
        IEnumerable<string> ledger = Enumerable.Range(0, Libraries).Select(SolutionWriter.Name).Append("App")
            .SelectMany(name => Enumerable.Range(1, Entries).Select(i => FormattableString.Invariant($"entry {name} {i}.")));
        Assert.That(entries.Order(StringComparer.Ordinal), Is.EqualTo(ledger.Order(StringComparer.Ordinal)), "each once");
        Assert.That(Outputs(folder.Path), Is.EqualTo(local));

        string[] Agent(string name) => ["agent", "--nats", server.Url, "--workers", "1", "--name", name];
    }

    /// <summary>What was built, as hashes by path.</summary>
    private static Dictionary<string, string> Outputs(string folder) => Directory.GetFiles(folder, "*", SearchOption.AllDirectories)
        .Where(file => file.Contains("/bin/Debug/", StringComparison.Ordinal))
        .ToDictionary(file => file, file => Convert.ToHexString(SHA256.HashData(File.ReadAllBytes(file))), StringComparer.Ordinal);
}
