using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.MSBuild;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

/// <summary>Real builds by real worker processes.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class BuildTests
{
    private static readonly int Libraries = Nightly.Rounds(nightly: 6, otherwise: 2), Layers = Libraries / 2;

    [Test]
    public async Task A_solution_is_built_once_and_in_order_with_every_event_accounted_for([Values("unix", "pipe")] string wire)
    {
        if (wire == "pipe")
        {
            Nightly.Only("a second real build, over a pipe");
        }

        using var folder = new TemporaryFolder();
        string solution = new SolutionWriter(Libraries, Layers).Write(folder.Path);
        string log = Path.Combine(folder.Path, "events.log");
        using Harness run = await Harness.RunAsync(
            "build", solution, "--nodes", "2", "--summary", "{summary}", "--log", log, "--wire", wire);

        Assert.That(run.ExitCode, Is.Zero, () => string.Join('\n', [.. run.Output, .. run.Errors]));
        JsonElement summary = run.Summary();
        Assert.That(summary.GetProperty("result").GetString(), Is.EqualTo("succeeded"));
        Assert.That(summary.GetProperty("warnings").GetInt32(), Is.EqualTo(Libraries * SolutionWriter.WarningsPerLibrary));
        Assert.That(run.Output.Count(l => l.Contains("): warning CS0169: ", System.StringComparison.Ordinal)),
            Is.EqualTo(Libraries * SolutionWriter.WarningsPerLibrary));
        JsonElement[] projects = [.. summary.GetProperty("projects").EnumerateArray()];
        Assert.That(projects, Has.Length.EqualTo(Libraries + 1));
        Assert.That(projects.Select(p => p.GetProperty("attempts").GetInt32()), Is.All.EqualTo(1));
        Assert.That(Directory.GetFiles(folder.Path, "App.dll", SearchOption.AllDirectories), Is.Not.Empty);
        JsonElement[] nodes = [.. summary.GetProperty("nodes").EnumerateArray()];
        Assert.That(nodes.Select(n => n.GetProperty("id").GetString()), Is.EqualTo(new[] { "n1", "n2" }));
        foreach (JsonElement node in nodes)
        {
            AssertExact(node);
        }

        long events = nodes.Sum(n => n.GetProperty("events").GetInt64());
        Assert.That(events, Is.GreaterThan(1000 * Libraries));
        string[] lines = File.ReadAllLines(log);
        Assert.That(lines, Has.Length.GreaterThanOrEqualTo((int)events), "every event has a line at least");
        Assert.That(lines, Is.All.Matches("^(n[12]|restore) "), "every line has its node");
    }

    /// <summary>Each project of a solution inherits a property that names all the others. 160 projects had 15 MB of it.</summary>
    [Test]
    public async Task What_crosses_links_grows_with_a_solutions_projects_and_not_with_their_square()
    {
        long few = await BytesAsync(30), many = await BytesAsync(240);
        Assert.That(many, Is.InRange(2 * few, 16 * few), $"{few} bytes of 30 projects");

        static async Task<long> BytesAsync(int projects)
        {
            using var folder = new TemporaryFolder();
            string[] names = [.. Enumerable.Range(1, projects).Select(n => $"Project.Number{n}")];
            foreach (string name in names)
            {
                PlainProjects.Write(folder, name, "<ItemGroup Condition=\"'$(MSBuildProjectName)' != 'Project.Number1'\">"
                    + "<ProjectReference Include=\"../Project.Number1/Project.Number1.csproj\" /></ItemGroup>");
            }

            string solution = folder.File(
                "All.slnx", "<Solution>" + string.Concat(names.Select(n => $"<Project Path=\"{n}/{n}.csproj\" />")) + "</Solution>");
            using Harness run = await Harness.RunAsync("build", solution, "--no-restore", "-v", "quiet", "--summary", "{summary}");
            Assert.That(run.ExitCode, Is.Zero, () => string.Join('\n', [.. run.Output, .. run.Errors]));
            return run.Summary().GetProperty("nodes").EnumerateArray().Sum(n => n.GetProperty("bytes").GetInt64());
        }
    }

    [Test]
    public async Task Verbosity_changes_what_is_shown_and_which_events_come()
    {
        Nightly.Only("three real builds");
        using var folder = new TemporaryFolder();
        string solution = new SolutionWriter(1, 1).Write(folder.Path);
        using Harness first = await Harness.RunAsync("build", solution, "--nodes", "1", "-v", "q");
        using Harness quiet =
            await Harness.RunAsync("build", solution, "--nodes", "1", "-v", "quiet", "--no-restore", "--summary", "{summary}");
        using Harness all = await Harness.RunAsync(
            "build", solution, "--nodes", "1", "-v", "diag", "--no-restore", "--summary", "{summary}");

        Assert.That(quiet.Output, Has.Length.EqualTo(1), () => string.Join('\n', quiet.Output));
        long leftOut = quiet.Summary().GetProperty("nodes")[0].GetProperty("leftOut").GetInt64();
        Assert.That(Events(quiet), Is.LessThan(leftOut / 10));
        Assert.That(Events(all), Is.EqualTo(Events(quiet) + leftOut + 1), "the session's end comes after its last result");
        Assert.That(all.Output, Has.Length.GreaterThan((int)Events(all) / 2));
        Assert.That(all.Output, Has.None.Matches(@"^n\d+ $"));
        Assert.That(all.Output[0], Does.StartWith("reading "));
        Assert.That(all.Output, Has.One.Matches($@"^n1 \(pid {all.Summary().GetProperty("nodes")[0].GetProperty("pid")}\) is ready$"));
    }

    [Test]
    public async Task A_project_that_fails_takes_its_dependents_with_it_and_no_other()
    {
        using var folder = new TemporaryFolder();
        string solution = PlainProjects.Four(
            folder, b: "<Target Name=\"Fail\" BeforeTargets=\"CoreCompile\"><Error Code=\"X1\" Text=\"no&#x1b;[2J\" /></Target>");
        using Harness run = await Harness.RunAsync("build", solution, "--nodes", "2", "--no-restore", "--summary", "{summary}");

        Assert.That(run.ExitCode, Is.EqualTo(1), () => string.Join('\n', [.. run.Output, .. run.Errors]));
        Assert.That(Results(run), Is.EquivalentTo(new[] { "A succeeded 1", "B failed 1", "C skipped 1", "D succeeded 1" }));
        Assert.That(run.Output, Has.Some.Matches(@"B\.csproj\(\d+,\d+\): error X1: no\\u001b\[2J$"));
        Assert.That(run.Output, Has.Some.EqualTo("C (net10.0) skipped, because B (net10.0) failed"));
        Assert.That(run.Errors, Is.Empty);
    }

    [Test]
    public async Task A_project_that_kills_every_worker_has_failed_and_the_others_are_built()
    {
        using var folder = new TemporaryFolder();
        string solution = PlainProjects.Four(
            folder, b: "<Target Name=\"Die\" BeforeTargets=\"CoreCompile\"><Exec Command=\"kill -9 $PPID\" /></Target>");
        using Harness run = await Harness.RunAsync("build", solution, "--nodes", "2", "--no-restore", "--summary", "{summary}");

        Assert.That(run.ExitCode, Is.EqualTo(1), () => string.Join('\n', [.. run.Output, .. run.Errors]));
        Assert.That(Results(run), Is.EquivalentTo(new[] { "A succeeded 1", "B failed 2", "C skipped 1", "D succeeded 1" }));
        Assert.That(run.Output,
            Has.Some.Matches(@"^n\d \(pid \d+\) was killed SIGKILL while it built B \(net10\.0\); it is built once more"));
        Assert.That(run.Output, Has.Some.Matches(@"B\.csproj : error HARNESS001: n\d \(pid \d+\) was killed SIGKILL while it built B "
            + @"\(net10\.0\) for the second time: no third attempt$"));
        string[] ends = [.. run.Summary().GetProperty("nodes").EnumerateArray().Select(n => n.GetProperty("end").GetString()!)];
        Assert.That(ends.Count(e => e == "killed SIGKILL"), Is.EqualTo(2));
        Assert.That(ends, Has.Some.EqualTo("clean"));
    }

    [Test]
    public async Task The_worker_killed_in_mid_project_is_named_and_the_project_is_built_once_more()
    {
        using var folder = new TemporaryFolder();
        string flag = Path.Combine(folder.Path, "reached");
        string wait = $"<Target Name=\"Wait\" BeforeTargets=\"CoreCompile\" Condition=\"!Exists('{flag}')\"><Exec Command=\"touch {flag} "
            + $"&amp;&amp; echo $PPID &gt; {flag}.pid &amp;&amp; exec sleep 60\" /></Target>";
        string solution = PlainProjects.Four(folder, b: wait);
        using Harness run = Harness.Start("build", solution, "--nodes", "2", "--no-restore", "--summary", "{summary}",
            "--log", Path.Combine(folder.Path, "events.log"));
        await Wait.UntilAsync(() => File.Exists(flag + ".pid") && File.ReadAllText(flag + ".pid").EndsWith('\n'),
            "the project is being built");
        string pid = File.ReadAllText(flag + ".pid").Trim();
        Harness.Kill(int.Parse(pid, System.Globalization.CultureInfo.InvariantCulture), "KILL");
        await run.EndAsync();

        Assert.That(run.ExitCode, Is.Zero, () => string.Join('\n', [.. run.Output, .. run.Errors]));
        Assert.That(Results(run), Is.EquivalentTo(new[] { "A succeeded 1", "B succeeded 2", "C succeeded 1", "D succeeded 1" }));
        Assert.That(run.Output,
            Has.Some.Matches($@"^n\d \(pid {pid}\) was killed SIGKILL while it built B \(net10\.0\); it is built once more"));
        JsonElement exited = run.Summary().GetProperty("nodes").EnumerateArray()
            .Single(n => n.GetProperty("pid").GetInt32().ToString(System.Globalization.CultureInfo.InvariantCulture) == pid);
        Assert.That(exited.GetProperty("end").GetString(), Is.EqualTo("killed SIGKILL"));
        Assert.That(exited.GetProperty("sent").ValueKind, Is.EqualTo(JsonValueKind.Null));
        JsonElement exitReport = exited.GetProperty("exitReport");
        Assert.Multiple(() =>
        {
            Assert.That(exitReport.GetProperty("project").GetString(), Is.EqualTo("B (net10.0)"));
            Assert.That(exitReport.GetProperty("signal").GetString(), Is.EqualTo("SIGKILL"));
            Assert.That(exitReport.GetProperty("received").GetInt64(),
                Is.EqualTo(exited.GetProperty("received").GetInt64()).And.GreaterThan(20));
            Assert.That(exitReport.GetProperty("tail").GetProperty("lost").GetInt64(), Is.Zero, "what it had queued survives it");
            JsonElement[] packets = [.. exitReport.GetProperty("lastPackets").EnumerateArray()];
            Assert.That(packets, Has.Length.EqualTo(20));
            Assert.That(packets.Select(p => p.GetProperty("name").GetString()),
                Has.Some.EqualTo("BuildEvent").And.All.Matches("^(BuildEvent|ProjectEvaluated|Strings|Maps)$"));
            Assert.That(packets.Select(p => p.GetProperty("lane").GetString()), Is.All.EqualTo("normal"));
            Assert.That(exitReport.GetProperty("msSinceLastPacket").GetInt64(),
                Is.EqualTo(packets[19].GetProperty("msBeforeEnd").GetInt64()));
        });
        string[] block = Harness.Block(run.Output, $"(pid {pid})");
        Assert.That(block.Count(line => line.StartsWith("last packets: -", System.StringComparison.Ordinal)), Is.InRange(1, 5));
        Assert.That(block, Has.Some.Matches(@"^packets of the worker: sent unknown \(no Goodbye\), received \d+, handled \d+, "
            + @"unhandled 0, failed 0, lost \d+.*, dropped 0, answered Full unknown; packets to it: sent \d+, acknowledged \d+, unhandled 0, "
            + @"failed 0, dropped 0, answered Full 0$"));
        Assert.That(block, Has.Some.StartsWith("last packets: -").And.Some.StartsWith("link: PeerGone: ").And.Some.Matches(
            @"^/.*, lived \d+\.\d s until "));
        Assert.That(run.Summary().GetProperty("nodes").EnumerateArray().Where(n => n.GetProperty("end").GetString() == "clean")
            .Select(n => n.GetProperty("exitReport").GetProperty("cause").GetString()), Is.Not.Empty.And.All.EqualTo("clean"));
    }

    [Test]
    public async Task A_framework_that_fails_is_named_and_takes_none_with_it_that_need_the_other()
    {
        Nightly.Only("builds for several frameworks");
        using var folder = new TemporaryFolder();
        folder.File("A/A.csproj", "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup>"
            + "<TargetFrameworks>net10.0;netstandard2.0</TargetFrameworks></PropertyGroup></Project>");
        folder.File("A/A.cs", "#if NETSTANDARD2_0\n#error no\n#endif\n");
        Write(folder, "B", "<ItemGroup><ProjectReference Include=\"../A/A.csproj\" /></ItemGroup>");
        string both = folder.File("Both.slnx", "<Solution><Project Path=\"A/A.csproj\" /><Project Path=\"B/B.csproj\" /></Solution>");
        string one = folder.File("One.slnx", "<Solution><Project Path=\"B/B.csproj\" /></Solution>");
        using Harness first = await Harness.RunAsync("build", both, "--nodes", "2", "--summary", "{summary}");
        using Harness second = await Harness.RunAsync("build", one, "--nodes", "2", "--no-restore", "--summary", "{summary}");
        using Harness none = await Harness.RunAsync("build", one, "--nodes", "1", "--no-restore", "-c", "Dbg1");

        Assert.That(first.ExitCode, Is.EqualTo(1), () => string.Join('\n', [.. first.Output, .. first.Errors]));
        Assert.That(Results(first), Is.EquivalentTo(new[] { "A succeeded 1", "A failed 1", "A skipped 0", "B succeeded 1" }));
        Assert.That(first.Output, Has.Some.EndsWith(
            $"A.cs(2,8): error CS1029: #error: 'no' [{Path.Combine(folder.Path, "A", "A.csproj")}::TargetFramework=netstandard2.0]"));
        Assert.That(second.ExitCode, Is.Zero, () => string.Join('\n', [.. second.Output, .. second.Errors]));
        Assert.That(Results(second), Is.EqualTo(new[] { "A succeeded 1", "B succeeded 1" }));
        Assert.That(none.ExitCode, Is.EqualTo(1));
        Assert.That(none.Output, Has.Some.StartsWith(one + ".metaproj : error MSB4126: ").And.Some.EndsWith($" [{one}]"));
    }

    internal static void AssertExact(JsonElement node)
    {
        long received = node.GetProperty("received").GetInt64();
        Assert.That(node.GetProperty("sent").GetInt64(), Is.EqualTo(received), "sent");
        Assert.That(node.GetProperty("acknowledged").GetInt64(), Is.EqualTo(received), "acknowledged");
        Assert.That(node.GetProperty("dropped").GetInt64(), Is.Zero, "dropped");
        Assert.That(node.GetProperty("end").GetString(), Is.EqualTo("clean"));
    }

    private static void Write(TemporaryFolder folder, string name, string more)
    {
        folder.File($"{name}/{name}.csproj", "<Project Sdk=\"Microsoft.NET.Sdk\">\n"
            + $"<PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>\n{more}</Project>\n");
        folder.File($"{name}/{name}.cs", $"public class {name} {{ }}\n");
    }

    private static long Events(Harness run) =>
        run.Summary().GetProperty("nodes").EnumerateArray().Sum(n => n.GetProperty("events").GetInt64());

    private static string[] Results(Harness run) =>
        [.. run.Summary().GetProperty("projects").EnumerateArray().Select(p =>
            $"{Path.GetFileNameWithoutExtension(p.GetProperty("path").GetString())} {p.GetProperty("result")} "
                + p.GetProperty("attempts"))];
}
