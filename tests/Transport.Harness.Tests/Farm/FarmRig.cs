using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using BuildHarness.Tests.Processes;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Servers;

namespace BuildHarness.Tests.Farm;

/// <summary>A server, agents as processes of their own, and a folder for what is built.</summary>
internal sealed class FarmRig : IAsyncDisposable
{
    private readonly List<Harness> _agents = [];

    private FarmRig(NatsServer server) => Server = server;

    public NatsServer Server { get; }

    public TemporaryFolder Folder { get; } = new();

    /// <summary>Starts a server, and agents of one worker each that are ready.</summary>
    public static async Task<FarmRig> StartAsync(params string[] agents)
    {
        var rig = new FarmRig(await NatsServer.StartAsync());
        foreach (string name in agents)
        {
            await rig.AddAsync(name);
        }

        return rig;
    }

    /// <summary>Adds an agent, and waits until it lends workers.</summary>
    public async Task<Harness> AddAsync(string name)
    {
        Harness agent = Harness.Start("agent", "--nats", Server.Url, "--workers", "1", "--name", name);
        _agents.Add(agent);
        await agent.SaysAsync(line => line.Contains("lends them", StringComparison.Ordinal));
        return agent;
    }

    /// <summary>Writes a solution of which one project waits for a minute the first time that it is built.</summary>
    /// <param name="flag">The file that is there from then on.</param>
    /// <returns>The solution.</returns>
    public string WriteProjectsThatWait(out string flag)
    {
        flag = Path.Combine(Folder.Path, "reached");
        return PlainProjects.Four(Folder, b: "<Target Name=\"Wait\" BeforeTargets=\"CoreCompile\" "
            + $"Condition=\"!Exists('{flag}')\"><Exec Command=\"touch {flag} &amp;&amp; exec sleep 60\" /></Target>");
    }

    /// <summary>Starts a build by the farm alone.</summary>
    public Harness Build(string solution, params string[] more) =>
        Harness.Start(["build", solution, "--farm", Server.Url, "--summary", "{summary}", .. more]);

    /// <summary>Builds, and expects that it succeeds.</summary>
    public async Task<Harness> BuiltAsync(string solution, params string[] more)
    {
        Harness build = Build(solution, more);
        await build.EndAsync();
        Assert.That(build.ExitCode, Is.Zero, () => Said(build));
        return build;
    }

    /// <summary>All that a process has said, and the agents.</summary>
    public string Said(Harness build) => string.Join('\n',
        [.. build.Output, .. build.Errors, .. _agents.SelectMany(agent => (string[])["agent:", .. agent.Output, .. agent.Errors])]);

    /// <summary>The results as NAME RESULT ATTEMPTS.</summary>
    public static IEnumerable<string> Results(Harness build) => build.Summary().GetProperty("projects").EnumerateArray().Select(p =>
        $"{Path.GetFileNameWithoutExtension(p.GetProperty("path").GetString())} {p.GetProperty("result")} {p.GetProperty("attempts")}");

    /// <summary>Asserts that of each agent all events have come, and that each of its workers ended in order and says the same.</summary>
    public static void AssertWhole(JsonElement summary)
    {
        JsonElement[] agents = [.. summary.GetProperty("agents").EnumerateArray()];
        Assert.That(agents, Is.Not.Empty);
        foreach (JsonElement agent in agents)
        {
            string name = agent.GetProperty("name").GetString()!;
            Assert.That(agent.GetProperty("problem").ValueKind, Is.EqualTo(JsonValueKind.Null), name);
            Assert.That(agent.GetProperty("allEvents").GetBoolean(), Is.True, name);
            JsonElement[] nodes = [.. summary.GetProperty("nodes").EnumerateArray()
                .Where(node => node.GetProperty("id").GetString()!.StartsWith(name + ".", StringComparison.Ordinal))];
            Assert.That(agent.GetProperty("events").GetInt64(), Is.EqualTo(nodes.Sum(node => node.GetProperty("events").GetInt64())));
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (Harness agent in _agents.Where(agent => !agent.HasExited))
        {
            Harness.Kill(agent.ProcessId, "TERM");
        }

        foreach (Harness agent in _agents)
        {
            await agent.EndAsync();
            agent.Dispose();
        }

        await Server.DisposeAsync();
        Folder.Dispose();
    }
}
