using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Text;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Journal;
using Transport.MSBuild;
using Transport.Testing;

namespace Transport.Tool.Tests.Builds;

internal sealed class CollectTests
{
    private static readonly string Logger = Path.Combine(AppContext.BaseDirectory, "Transport.MSBuild.Logger.dll");

    [Test]
    public async Task A_collected_build_exports_every_event_and_field_of_its_own_binary_log()
    {
        using var build = new SmallBuild();
        string recorded = Path.Combine(build.Folder, "recorded.binlog"), exported = Path.Combine(build.Folder, "exported.binlog");

        // One node: with several MSBuild reads a project's items for each logger while targets may be adding to them.
        ToolRun run = await build.CollectAsync(["--detail"], "dotnet", "msbuild", "one.proj", "-m:1", "-bl:" + recorded);
        ToolRun export = await ToolRun.Of("export", build.Journal, "--binlog", exported);

        Assert.That((run.ExitCode, export.ExitCode), Is.EqualTo((0, 0)), string.Join('\n', run.Errors.Concat(export.Errors)));
        string[] ours = [.. EventList.OfBinaryLog(exported).Select(EventList.Line)];

        // That MSBuild has loaded this logger, which cannot see it.
        string[] theirs = [.. EventList.OfBinaryLog(recorded)
            .Where(one => one.Kind != BuildEventKind.AssemblyLoad || one.Text("LoadingInitiator") != "Transport.MSBuild.TransportLogger")
            .Select(EventList.Line)];
        Assert.That(theirs, Has.Length.GreaterThan(40));
        Assert.That(ours.Except(theirs).Where(line => !line.Contains("Transport.MSBuild.TransportLogger", StringComparison.Ordinal)),
            Is.Empty, "only exported");
        Assert.That(theirs.Except(ours), Is.Empty, "only recorded");
    }

    [Test]
    public async Task A_build_that_fails_has_its_own_exit_code_and_its_error_in_the_journal()
    {
        using var build = new SmallBuild();

        ToolRun run = await build.CollectAsync([], "dotnet", "msbuild", "one.proj", "-t:Fail");

        Assert.That(run.ExitCode, Is.EqualTo(1));
        Assert.That(run.Output, Has.Some.Contains("error E1: it is broken"));
        Assert.That(EventList.OfJournal(build.Journal).Where(one => one.Kind == BuildEventKind.Error).Select(one => one.Message),
            Is.EqualTo(new[] { "it is broken" }));
    }

    /// <summary>Without a terminal, as on CI, the SDK writes results to the console alone: the journal had no error.</summary>
    [TestCase("assert", "TESTERROR", "Bad")]
    [TestCase("failfast", "TESTRUNABORT", "Test Run Aborted.")]
    [TestCase("overflow", "TESTRUNABORT", "Test Run Aborted.")]
    public async Task A_test_that_fails_or_ends_its_process_is_an_error_of_the_journal(string how, string code, string text)
    {
        using var build = new SmallBuild();
        string[] packages = [.. File.ReadLines(Path.Combine(Repository.Root, "Directory.Packages.props"))
            .Where(line => line.Contains("\"Microsoft.NET.Test.Sdk\"", StringComparison.Ordinal)
                || line.Contains("\"NUnit", StringComparison.Ordinal) && !line.Contains("Analyzers", StringComparison.Ordinal))
            .Select(line => line.Replace("PackageVersion", "PackageReference", StringComparison.Ordinal))];
        Assert.That(packages, Has.Length.EqualTo(3));
        string folder = Directory.CreateDirectory(Path.Combine(build.Folder, "tests")).FullName;
        string project = Path.Combine(folder, "Tests.csproj");
        await File.WriteAllTextAsync(project, $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
              <ItemGroup>{string.Concat(packages)}</ItemGroup>
            </Project>
            """);
        await File.WriteAllTextAsync(Path.Combine(folder, "Tests.cs"), """
            using NUnit.Framework;
            public class Tests
            {
                static string How => System.Environment.GetEnvironmentVariable("HOW");
                [Test] public void Good() { }
                [Test] public void Bad() => Assert.That(How, Is.Not.EqualTo("assert"));
                [Test] public void Worse()
                {
                    if (How == "failfast") { System.Environment.FailFast("on purpose"); }
                    if (How == "overflow") { Deeper(0); }
                }
                static int Deeper(int i) => i < 0 ? 0 : Deeper(i + 1) + Deeper(i + 2);
            }
            """);
        ToolRun run = await ToolRun.EndAsync(build.Start(
            new Dictionary<string, string> { ["HOW"] = how, ["DOTNET_DbgEnableMiniDump"] = "0" },
            "collect", "--journal", build.Journal, "--", "dotnet", "test", project));
        Assert.That(run.ExitCode, Is.EqualTo(1), string.Join('\n', run.Output.Concat(run.Errors)));
        BuildEvent[] errors = [.. EventList.OfJournal(build.Journal).Where(one => one.Kind == BuildEventKind.Error)];
        Assert.That(errors.Select(one => one.Text("Code")), Is.All.EqualTo(code).And.Not.Empty);
        Assert.That(errors[0].Message, Does.Contain(text));
        ToolRun github = await ToolRun.Of("export", build.Journal, "--github");
        Assert.That(github.Output, Has.Some.Contains("::error"));
    }

    /// <summary>The exit code was 255 after a build that succeeded.</summary>
    [TestCase("Build", 0)]
    [TestCase("Fail", 1)]
    public async Task A_build_has_its_own_exit_code_also_where_SIGCHLD_was_ignored_when_the_tool_was_started(string target, int exitCode)
    {
        using var build = new SmallBuild();
        ToolRun run = await ToolRun.EndAsync(build.StartIgnoringChildren(
            "collect", "--journal", build.Journal, "--", "dotnet", "msbuild", "one.proj", "-t:" + target));
        Assert.That(run.ExitCode, Is.EqualTo(exitCode), string.Join('\n', run.Output.Concat(run.Errors)));
    }

    /// <summary>As OpenShift runs containers: a user that is in no list, without HOME. It kept nothing, and ended with 0.</summary>
    [Test]
    [Platform("Linux")]
    [SupportedOSPlatform("linux")]
    public async Task A_user_without_a_home_has_a_journal_in_the_temporary_folder()
    {
        if (!Environment.IsPrivilegedProcess)
        {
            Assert.Ignore("needs root, to run as another user");
        }

        using var build = new SmallBuild();
        using var open = new TemporaryFolder();
        File.SetUnixFileMode(open.Path, (UnixFileMode)0x1FF);
        File.SetUnixFileMode(build.Folder, (UnixFileMode)0x1FF);
        string tool = Path.Combine(AppContext.BaseDirectory, "Transport.Tool.dll");
        string[] strangers = ["--reuid=54321", "--regid=54321", "--clear-groups", "env", "-u", "HOME", "-u", "XDG_STATE_HOME", "-u", "XDG_RUNTIME_DIR",
            $"DOTNET_CLI_HOME={open.Path}", $"TMPDIR={open.Path}", "dotnet", "exec", tool];
        ToolRun run = await ToolRun.EndAsync(build.StartBy("setpriv", [.. strangers, "collect", "--", "dotnet", "msbuild", "one.proj", "-nologo"]));
        if (run.Errors.Any(line => line.Contains("Permission denied", StringComparison.Ordinal)))
        {
            Assert.Ignore($"this checkout is for its user alone: {run.Errors[0]}");
        }

        Assert.That(run.Errors, Has.Some.Matches("^collect: [0-9]+ events in " + open.Path), string.Join('\n', run.Errors));
        ToolRun query = await ToolRun.EndAsync(build.StartBy("setpriv", [.. strangers, "query", "--kind", "warning"]));
        Assert.That(query.Output, Has.Some.Contains("warning W1: too red"), string.Join('\n', query.Errors));
    }

    [TestCase("run", "dotnet run is no build")]
    [TestCase("", "dotnet alone builds nothing")]
    [TestCase("test x.dll", "x.dll is built already")]
    public async Task A_command_that_builds_nothing_is_refused_in_one_line(string words, string why)
    {
        using var build = new SmallBuild();

        ToolRun run = await build.CollectAsync([], ["dotnet", .. words.Split(' ', StringSplitOptions.RemoveEmptyEntries)]);

        Assert.That(run.ExitCode, Is.EqualTo(2));
        Assert.That(run.Errors, Has.Length.EqualTo(1));
        Assert.That(run.Errors[0], Does.Contain(why));
        Assert.That(Directory.Exists(build.Journal), Is.False, "nothing was made");
    }

    [Test]
    public async Task A_folder_that_is_no_journal_is_refused_before_anything_is_built()
    {
        using var build = new SmallBuild();
        Directory.CreateDirectory(build.Journal);
        await File.WriteAllTextAsync(Path.Combine(build.Journal, "mine.txt"), "mine");

        ToolRun run = await build.CollectAsync([], "dotnet", "msbuild", "one.proj");

        Assert.That(run.ExitCode, Is.EqualTo(2));
        Assert.That(run.Errors, Has.Length.EqualTo(1));
        Assert.That(run.Output, Is.Empty);
    }

    [Test]
    public async Task A_journal_that_another_collector_writes_is_refused_before_anything_is_built()
    {
        using var build = new SmallBuild();
        using PacketJournal other = PacketJournal.Open(build.Journal, new JournalOptions());

        ToolRun run = await build.CollectAsync([], "dotnet", "msbuild", "one.proj");

        Assert.That(run.ExitCode, Is.EqualTo(3));
        Assert.That(run.Errors, Has.Length.EqualTo(1));
        Assert.That(run.Errors[0], Does.Contain("is open for writing elsewhere"));
        Assert.That(run.Output, Is.Empty);
    }

    [Test]
    public async Task Two_collectors_at_once_have_each_the_events_of_its_own_build()
    {
        using var one = new SmallBuild();
        string second = Path.Combine(one.Folder, "second");

        Task<ToolRun> first = one.CollectAsync([], "dotnet", "msbuild", "one.proj");
        ToolRun other = await ToolRun.EndAsync(one.Start(
            "collect", "--journal", second, "--", "dotnet", "msbuild", "two.proj", "-p:Size=small"));

        Assert.That(((await first).ExitCode, other.ExitCode), Is.EqualTo((0, 0)), string.Join('\n', other.Errors));
        string?[] ones = [.. EventList.OfJournal(one.Journal).Select(e => e.Message)], twos = [.. EventList.OfJournal(second)
            .Select(e => e.Message)];
        Assert.That(ones, Has.Some.EqualTo("size large").And.None.EqualTo("size small"));
        Assert.That(twos, Has.Some.EqualTo("size small").And.None.EqualTo("size large"));
    }

    [Test]
    public async Task A_build_with_the_logger_in_its_response_file_is_collected_once()
    {
        using var build = new SmallBuild();
        await File.WriteAllTextAsync(Path.Combine(build.Folder, "Directory.Build.rsp"), $"-logger:TransportLogger,{Logger}\n");

        ToolRun run = await build.CollectAsync(["--required"], "dotnet", "msbuild", "one.proj");

        Assert.That(run.ExitCode, Is.Zero, string.Join('\n', run.Output.Concat(run.Errors)));
        Assert.That(EventList.OfJournal(build.Journal).Count(e => e.Kind == BuildEventKind.BuildFinished), Is.EqualTo(1));
    }

    [Test]
    public async Task Secrets_are_in_no_journal_binary_log_page_or_trace()
    {
        using var build = new SmallBuild();
        string page = Path.Combine(build.Folder, "build.html"), trace = Path.Combine(build.Folder, "trace.json");
        string[] secrets = ["env-s3cret-0001", "prop-s3cret-0002", "line-s3cret-0003"];
        string exported = Path.Combine(build.Folder, "exported.binlog");
        var environment = new Dictionary<string, string> { ["DEPLOY_TOKEN"] = secrets[0] };
        await File.WriteAllTextAsync(Path.Combine(build.Folder, "three.proj"), $"""
            <Project DefaultTargets="Build">
              <PropertyGroup><DbPassword>{secrets[1]}</DbPassword></PropertyGroup>
              <ItemGroup><Server Include="db"><ApiKey>{secrets[1]}</ApiKey></Server></ItemGroup>
              <Target Name="Build">
                <Exec Command="echo $DEPLOY_TOKEN $(DbPassword) $(UploadSecret)" />
                <Message Importance="high" Text="connect with $(DbPassword), upload with $(UploadSecret)" />
                <Warning Text="token is $(DEPLOY_TOKEN)" />
              </Target>
            </Project>
            """);

        ToolRun run = await ToolRun.EndAsync(build.Start(environment, "collect", "--journal", build.Journal, "--detail", "--", "dotnet",
            "msbuild", "three.proj", "-p:UploadSecret=" + secrets[2]));
        ToolRun export = await ToolRun.Of(
            "export", build.Journal, "--binlog", exported, "--html", page, "--trace", trace, "--github", "--azure");

        Assert.That((run.ExitCode, export.ExitCode), Is.EqualTo((0, 0)), string.Join('\n', run.Errors.Concat(export.Errors)));
        Assert.That(run.Output, Has.Some.Contains(secrets[0]), "the build's own output is its own");
        string kept = string.Concat(Directory.GetFiles(build.Journal).Select(file => Encoding.Latin1.GetString(File.ReadAllBytes(file))));
        string log = string.Join('\n', EventList.OfBinaryLog(exported).Select(EventList.Line));
        string shown = string.Concat([await File.ReadAllTextAsync(page), await File.ReadAllTextAsync(trace), .. export.Output]);
        foreach (string secret in secrets)
        {
            Assert.That(kept, Does.Not.Contain(secret));
            Assert.That(log, Does.Not.Contain(secret));
            Assert.That(shown, Does.Not.Contain(secret));
        }

        Assert.That(shown, Does.Contain("token is ***"));

        Assert.That(log, Does.Contain("connect with ***, upload with ***"));
    }

    [Test]
    [Platform(Exclude = "Win", Reason = "the relay is a Unix socket")]
    public async Task No_secret_travels_to_the_collector()
    {
        using var build = new SmallBuild();
        await using BuildCollector collector = BuildCollector.Start(_ => new PacketRouter());
        string note = Path.Combine(build.Folder, "relay.note"), relay = Path.Combine(build.Folder, "relay.sock");
        string[] lines = await File.ReadAllLinesAsync(collector.ConnectionFile);
        string endpoint = lines[0][(lines[0].IndexOf('/', StringComparison.Ordinal))..];
        lines[0] = lines[0].Replace(endpoint, relay, StringComparison.Ordinal);
        await File.WriteAllLinesAsync(note, lines.Where(line => !line.StartsWith("tail=", StringComparison.Ordinal)));
        using var captured = new MemoryStream();
        using var listener = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        listener.Bind(new UnixDomainSocketEndPoint(relay));
        listener.Listen();
        Task relaying = RelayAsync(listener, endpoint, captured);

        ToolRun run = await build.DotnetAsync("msbuild", "one.proj", "-nologo", "-p:UploadSecret=line-s3cret-0003", "-p:Colour=orange",
            $"-logger:TransportLogger,{Logger};connect={note};required=true");
        await relaying;

        string wire = Encoding.Latin1.GetString(captured.ToArray());
        Assert.That(run.ExitCode, Is.Zero, string.Join('\n', run.Output.Concat(run.Errors)));
        Assert.That(wire, Does.Contain("UploadSecret").And.Contain("***").And.Contain("too red").And.Not.Contain("line-s3cret"));
    }

    private static async Task RelayAsync(Socket listener, string endpoint, MemoryStream captured)
    {
        using Socket client = await listener.AcceptAsync();
        using var server = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        await server.ConnectAsync(new UnixDomainSocketEndPoint(endpoint));
        await Task.WhenAll(PumpAsync(client, server, captured), PumpAsync(server, client, Stream.Null)).WaitAsync(TimeSpan.FromSeconds(60));
    }

    private static async Task PumpAsync(Socket from, Socket to, Stream copy)
    {
        var buffer = new byte[65536];
        try
        {
            while (await from.ReceiveAsync(buffer) is > 0 and int count)
            {
                copy.Write(buffer, 0, count);
                await to.SendAsync(buffer.AsMemory(0, count));
            }

            to.Shutdown(SocketShutdown.Send);
        }
        catch (SocketException)
        {
            // One of the two has closed.
        }
    }

    [TestCase("connect=none.note", "warning: build events are not collected", 0)]
    [TestCase("required=true", "no collector of this user is running", 1)]
    [TestCase("connect=none.note;required=true", "TRANSPORTLOG2", 1)]
    [TestCase("colour=red", "unknown parameter \"colour\"", 1)]
    [TestCase("wait=long", "parameter wait: expected 0.1 to 600 seconds", 1)]
    public async Task Without_a_collector_a_build_goes_on_unless_it_requires_one(string parameters, string line, int exitCode)
    {
        using var build = new SmallBuild();

        ToolRun run = await build.DotnetAsync("msbuild", "one.proj", "-nologo", $"-logger:TransportLogger,{Logger};{parameters}");

        string[] all = [.. run.Output, .. run.Errors];
        Assert.That(run.ExitCode, Is.EqualTo(exitCode), string.Join('\n', all));
        Assert.That(all, Has.Some.Contains(line));
        Assert.That(all, Has.None.Contains("   at "), "no stack trace");
    }
}
