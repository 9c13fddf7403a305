using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using BuildHarness.Farm;
using BuildHarness.Packets;
using BuildHarness.Tests.Processes;
using NATS.Client.Core;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Servers;

namespace BuildHarness.Tests.Farm;

/// <summary>Builds by agents in processes of their own, over a server.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class FarmBuildTests
{
    private static readonly int Libraries = Nightly.Rounds(nightly: 6, otherwise: 2), Layers = Libraries / 2;

    [Test]
    public async Task Two_agents_build_a_solution_and_every_event_comes_home()
    {
        await using FarmRig farm = await FarmRig.StartAsync("b1", "b2");
        string solution = new SolutionWriter(Libraries, Layers).Write(farm.Folder.Path);
        string log = Path.Combine(farm.Folder.Path, "events.log"), journal = Path.Combine(farm.Folder.Path, "journal");
        using Harness build = await farm.BuiltAsync(solution, "--log", log, "--journal", journal);

        JsonElement summary = build.Summary();
        FarmRig.AssertWhole(summary);
        Assert.That(summary.GetProperty("warnings").GetInt32(), Is.EqualTo(Libraries * SolutionWriter.WarningsPerLibrary));
        JsonElement[] projects = [.. summary.GetProperty("projects").EnumerateArray()];
        Assert.That(projects, Has.Length.EqualTo(Libraries + 1));
        Assert.That(projects.Select(p => p.GetProperty("node").GetString()), Is.All.Matches(@"^b[12]\.n1$"));
        JsonElement[] nodes = [.. summary.GetProperty("nodes").EnumerateArray()];
        Assert.That(nodes.Select(n => n.GetProperty("id").GetString()), Is.SubsetOf(new[] { "b1.n1", "b2.n1" }));
        foreach (JsonElement node in nodes)
        {
            BuildTests.AssertExact(node);
            Assert.That(node.GetProperty("leftOut").GetInt64(), Is.Zero, "all are wanted, for the log");
        }

        long events = nodes.Sum(n => n.GetProperty("events").GetInt64());
        Assert.That(events, Is.GreaterThan(1000 * Libraries));
        string[] lines = File.ReadAllLines(log);
        Assert.That(lines, Has.Length.GreaterThanOrEqualTo((int)events), "every event has a line at least");
        Assert.That(lines, Is.All.Matches(@"^(b[12]\.n1|restore) "), "every line has its node");
        Assert.That(Directory.GetFiles(farm.Folder.Path, "App.dll", SearchOption.AllDirectories), Is.Not.Empty);
        Assert.That(Directory.GetFiles(farm.Folder.Path, ".buildharness-farm-*"), Is.Empty);
        using Harness replayed = await Harness.RunAsync("replay", journal);
        Assert.That(replayed.ExitCode, Is.Zero, () => string.Join('\n', [.. replayed.Output, .. replayed.Errors]));
    }

    [Test]
    public async Task A_worker_of_an_agent_that_is_killed_comes_home_with_its_exit_report()
    {
        await using FarmRig farm = await FarmRig.StartAsync("b1", "b2");
        string solution = PlainProjects.Four(
            farm.Folder, b: "<Target Name=\"Die\" BeforeTargets=\"CoreCompile\"><Exec Command=\"kill -9 $PPID\" /></Target>");
        using Harness build = farm.Build(solution, "--no-restore");
        await build.EndAsync();

        Assert.That(build.ExitCode, Is.EqualTo(1), () => farm.Said(build));
        Assert.That(FarmRig.Results(build), Is.EquivalentTo(new[] { "A succeeded 1", "B failed 2", "C skipped 1", "D succeeded 1" }));
        Assert.That(build.Output, Has.Some.Matches(
            @"^b[12]: n1 \(pid \d+\) was killed SIGKILL while it built B \(net10\.0\); it is built once more"));
        Assert.That(build.Output, Has.Some.Matches(@"B\.csproj : error HARNESS001: b[12]: n\d \(pid \d+\) was killed SIGKILL while it "
            + @"built B \(net10\.0\) for the second time: no third attempt$"));
        Assert.That(Harness.Block(build.Output, "it is built once more"), Has.Some.StartsWith("link: PeerGone: "));
        FarmRig.AssertWhole(build.Summary());
        string[] ends = [.. build.Summary().GetProperty("nodes").EnumerateArray().Select(n => n.GetProperty("end").GetString()!)];
        Assert.That(ends.Count(e => e == "killed SIGKILL"), Is.EqualTo(2));
    }

    [Test]
    public async Task An_agent_that_is_killed_loses_its_project_to_another()
    {
        await using FarmRig farm = await FarmRig.StartAsync();
        Harness first = await farm.AddAsync("b1");
        string solution = farm.WriteProjectsThatWait(out string flag);
        using Harness build = farm.Build(solution, "--no-restore");
        await Wait.UntilAsync(() => File.Exists(flag), "the project is being built");
        int[] workers = first.Children();
        Harness.Kill(first.ProcessId, "KILL");
        await farm.AddAsync("b2");
        await build.EndAsync();

        Assert.That(build.ExitCode, Is.Zero, () => farm.Said(build));
        Assert.That(FarmRig.Results(build), Is.EquivalentTo(new[] { "A succeeded 1", "B succeeded 2", "C succeeded 1", "D succeeded 1" }));
        Assert.That(build.Output,
            Has.Some.EqualTo("agent b1 gave no sign any more while it built B (net10.0); it is built once more"));
        JsonElement[] agents = [.. build.Summary().GetProperty("agents").EnumerateArray()];
        JsonElement gone = agents.Single(a => a.GetProperty("name").GetString() == "b1");
        Assert.That(gone.GetProperty("allEvents").ValueKind, Is.EqualTo(JsonValueKind.Null), "nobody knows");
        Assert.That(gone.GetProperty("problem").GetString(), Is.EqualTo("it has not said how its workers ended"));
        Assert.That(agents.Single(a => a.GetProperty("name").GetString() == "b2").GetProperty("allEvents").GetBoolean(), Is.True);
        Assert.That(build.Output, Has.Some.Matches("^  b1: [0-2] projects?, .*; it has not said how its workers ended$"));
        await Wait.UntilAsync(() => !workers.Any(Harness.IsAlive), "no worker stays behind");
    }

    [Test]
    public async Task An_interrupted_build_ends_at_its_agents_and_they_build_the_next()
    {
        await using FarmRig farm = await FarmRig.StartAsync();
        Harness agent = await farm.AddAsync("b1");
        string solution = farm.WriteProjectsThatWait(out string flag);
        using Harness first = farm.Build(solution, "--no-restore");
        await Wait.UntilAsync(() => File.Exists(flag), "the project is being built");
        Harness.Kill(first.ProcessId, "INT");
        await first.EndAsync();
        Assert.That(first.ExitCode, Is.EqualTo(130), () => farm.Said(first));
        Assert.That(FarmRig.Results(first), Has.Some.EqualTo("B failed 1"));
        Assert.That(Directory.GetFiles(farm.Folder.Path, ".buildharness-farm-*"), Is.Empty);

        using Harness second = await farm.BuiltAsync(solution, "--no-restore");
        FarmRig.AssertWhole(second.Summary());
        Assert.That(agent.HasExited, Is.False);
        Harness.Kill(agent.ProcessId, "INT");
        await agent.EndAsync();
        Assert.That(agent.ExitCode, Is.EqualTo(130), () => farm.Said(second));
        Assert.That(agent.Errors, Is.Empty);
    }

    [Test]
    public async Task An_agent_that_cannot_build_this_says_why()
    {
        await using FarmRig farm = await FarmRig.StartAsync("b1");
        await using NatsConnection connection = farm.Server.Connect();
        string token = farm.Folder.File("token", "word");
        string sdk = (await CallAsync(connection, new FarmBuild("1", "9.0.1", token, "word", 0))).Refusal!;
        Assert.That(sdk, Does.Match(@"^agent b1 has \.NET SDK \d+\.\d+\.\d+\S*, and home has 9\.0\.1: "));
        string mine = sdk.Split(' ')[5].TrimEnd(',');
        Assert.That((await CallAsync(connection, new FarmBuild("1", mine, token, "word", 0))).Refusal, Is.Null);
        Assert.That((await CallAsync(connection, new FarmBuild("1", mine, token, "other", 0))).Refusal,
            Does.StartWith($"agent b1 does not see {token}: what is built must be on a file system that all machines see"));
        Assert.That((await CallAsync(connection, new FarmBuild("1", mine, "/no/such\0file", "word", 0))).Refusal,
            Does.Contain("does not see"));
    }

    [Test]
    public async Task An_agent_with_another_SDK_ends_a_build_with_a_line()
    {
        await using NatsServer server = await NatsServer.StartAsync();
        await using NatsConnection connection = server.Connect();
        await using INatsSub<byte[]> calls = await connection.SubscribeCoreAsync<byte[]>(FarmSettings.Call);
        using var folder = new TemporaryFolder();
        using Harness build = Harness.Start("build", PlainProjects.Four(folder, b: string.Empty), "--farm", server.Url, "--no-restore");
        await Wait.UntilAsync(() => calls.Msgs.TryPeek(out _), "the call");
        NatsMsg<byte[]> call = await calls.Msgs.ReadAsync();
        await call.ReplyAsync(
            FarmSettings.Bytes(FarmAnswer.PacketType, new FarmAnswer(Guid.NewGuid(), "old", 1, "agent old has .NET SDK 1 and no other")));
        await build.EndAsync();

        Assert.That(build.ExitCode, Is.EqualTo(3));
        Assert.That(build.Errors, Is.EqualTo(new[] { "buildharness: agent old has .NET SDK 1 and no other." }));
    }

    [Test]
    public async Task A_server_that_is_not_there_is_reported_at_once()
    {
        using var folder = new TemporaryFolder();
        string solution = PlainProjects.Four(folder, b: string.Empty);
        using Harness build = await Harness.RunAsync("build", solution, "--farm", "nats://127.0.0.1:1", "--no-restore");
        using Harness agent = await Harness.RunAsync("agent", "--nats", "nats://127.0.0.1:1");
        foreach (Harness one in new[] { build, agent })
        {
            Assert.That(one.ExitCode, Is.EqualTo(3));
            Assert.That(one.Errors, Has.Length.EqualTo(1));
            Assert.That(one.Errors[0], Does.StartWith("buildharness: No server of NATS can be used at nats://127.0.0.1:1: "));
        }
    }

    private static async Task<FarmAnswer> CallAsync(NatsConnection connection, FarmBuild build)
    {
        NatsMsg<byte[]> answer = await connection.RequestAsync<byte[], byte[]>(
            FarmSettings.Call, FarmSettings.Bytes(FarmCall.PacketType, new FarmCall(build)),
            replyOpts: new NatsSubOpts { Timeout = TimeSpan.FromSeconds(30) });
        return FarmSettings.Read(FarmAnswer.PacketType, answer.Data)!;
    }
}
