using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using NUnit.Framework;
using Transport.Hosting.Helper;
using Transport.Logging;
using Transport.Testing;
using Transport.Testing.Links;

namespace Transport.Hosting.Tests;

/// <summary>Two hosts: a main node in this process, a worker in another.</summary>
internal sealed class HostingTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Test]
    public async Task A_workers_log_event_is_logged_at_the_main_node_with_scopes_id_and_exception()
    {
        await using MainHost main = await MainHost.StartAsync();
        WorkerExit exit = await main.StartWorker("log", "n7").WaitForExitAsync().WaitAsync(Patience);
        Assert.That((exit.IsClean, exit.AllPacketsHandled), Is.EqualTo((true, true)), exit.Report);
        LogEntry entry = main.Log.Entries.Single(e => e.Category == "Transport.Hosting.Helper.Work");
        Assert.Multiple(() =>
        {
            Assert.That((entry.Level, entry.Id.Id, entry.Id.Name), Is.EqualTo((LogLevel.Warning, 7, "Slow")));
            Assert.That(entry.Message, Is.EqualTo("Compiled a.cs in 40 ms"));
            Assert.That(entry.Scopes[0], Is.EqualTo("Node=n7"));
            Assert.That(entry.Scopes.TakeLast(2), Is.EqualTo(new[] { "Id=5,{OriginalFormat}=Build {Id}", "Target=Compile" }));
            Assert.That(entry.Exception, Is.InstanceOf<RemoteException>());
            Assert.That(((RemoteException)entry.Exception!).TypeName, Is.EqualTo("System.InvalidOperationException"));
        });
        Assert.That(main.Notes.Texts, Is.EqualTo(new[] { "n7: working", "n7: stopped in order" }));
    }

    [Test]
    public async Task What_a_worker_logs_before_its_link_arrives_too()
    {
        await using MainHost main = await MainHost.StartAsync();
        _ = await main.StartWorker("log").WaitForExitAsync().WaitAsync(Patience);
        string[] messages = [.. main.Log.Entries.Where(e => e.Scopes.Contains("Node=n1")).Select(e => e.Message)];
        Assert.That(messages, Has.Some.EqualTo("before the link"));
        Assert.That(messages, Has.None.StartsWith("Application started"), "a worker's host is no application of its own");
    }

    [Test]
    public async Task A_host_that_stops_stops_its_workers_in_order_and_all_is_accounted_for()
    {
        MainHost main = await MainHost.StartAsync();
        Task<WorkerExit>[] exits = [.. Enumerable.Range(0, 2).Select(_ => main.StartWorker("stay").WaitForExitAsync())];
        await main.Notes.First.WaitAsync(Patience);
        Link[] links = await Task.WhenAll(main.Main.Workers.Select(w => w.WaitForLinkAsync())).WaitAsync(Patience);
        Assert.That(links, Has.Length.EqualTo(2));
        long start = Stopwatch.GetTimestamp();
        await main.DisposeAsync();
        Assert.That(Stopwatch.GetElapsedTime(start), Is.LessThan(TimeSpan.FromSeconds(10)));
        foreach (WorkerExit exit in await Task.WhenAll(exits))
        {
            Assert.That((exit.IsClean, exit.AllPacketsHandled), Is.EqualTo((true, true)), exit.Report);
        }

        Assert.That(main.Notes.Texts.Count(n => n.EndsWith("stopped in order", StringComparison.Ordinal)), Is.EqualTo(2));
        Assert.That(main.Log.Entries.Count(e => e.Message.Contains("exited: clean", StringComparison.Ordinal)), Is.EqualTo(2));
    }

    /// <summary>As a service manager ends it: both workers' hosts stop in order, and every packet is accounted for.</summary>
    [TestCase("TERM")]
    [TestCase("INT")]
    public async Task A_signal_to_the_main_nodes_host_stops_both_sides_in_order(string signal)
    {
        // Who starts the tests with SIGINT ignored (a shell's background job) hands that down.
        string[] program = OperatingSystem.IsLinux() ? ["/usr/bin/env", "--default-signal=INT,TERM", MainHost.HelperPath]
            : [MainHost.HelperPath];
        using var process = Process.Start(new ProcessStartInfo(program[0], [.. program[1..], "main"])
        {
            RedirectStandardOutput = true, UseShellExecute = false,
        })!;
        var lines = new List<string>();
        for (int working = 0; working < 2;)
        {
            lines.Add(await process.StandardOutput.ReadLineAsync().WaitAsync(Patience) ?? throw new AssertionException("it ended early"));
            working += lines[^1].EndsWith(": working", StringComparison.Ordinal) ? 1 : 0;
        }

        long start = Stopwatch.GetTimestamp();
        using (var kill = Process.Start("/bin/sh", ["-c", $"kill -s {signal} {process.Id}"]))
        {
            await kill.WaitForExitAsync().WaitAsync(Patience);
        }

        string rest = await process.StandardOutput.ReadToEndAsync().WaitAsync(Patience);
        await process.WaitForExitAsync().WaitAsync(Patience);
        Assert.That(process.ExitCode, Is.Zero, rest);
        Assert.That(Stopwatch.GetElapsedTime(start), Is.LessThan(TimeSpan.FromSeconds(10)));
        int service = rest.IndexOf("main node's service stops", StringComparison.Ordinal);
        foreach (string node in new[] { "n1", "n2" })
        {
            Assert.That(rest.IndexOf($"{node}: stopped in order", StringComparison.Ordinal), Is.GreaterThan(service), rest);
            Assert.That(rest, Does.Match($"Worker {node} \\(pid \\d+\\) exited: clean"));
        }
    }

    /// <summary>At a random moment from the start on, the main node alone is stopped (as by a person) or all of its session (as systemd does
    /// by default). Workers died of an unhandled exception while they connected, and each stop of all logged errors.</summary>
    [Test]
    [Platform("Linux")]
    public async Task A_stop_at_any_moment_to_the_main_node_or_to_all_is_no_error([Values] bool all)
    {
        int seed = Random.Shared.Next(), moments = Nightly.IsOn ? 50 : 6;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        for (int i = 0; i < moments; i++)
        {
            int after = random.Next(1500);
            (int code, string said) = await StopAfterAsync(after, all);
            string what = $"moment {i}, {after} ms after the start: exit {code}\n{said}";
            Assert.That(code, Is.AnyOf(0, 128 + 15), what);   // the second: before the runtime had its handler
            Assert.That(said, Does.Not.Contain("fail: ").And.Not.Contain("crit: ").And.Not.Contain("Unhandled exception"), what);
        }
    }

    /// <returns>The exit code, and what both streams of all processes said.</returns>
    private static async Task<(int Code, string Said)> StopAfterAsync(int milliseconds, bool all)
    {
        var start = new ProcessStartInfo(
            "/bin/sh",
            ["-c", "/usr/bin/env --default-signal=INT,TERM /usr/bin/setsid \"$0\" main & m=$!; sleep \"$1\"; "
                + (all ? "kill -s TERM $(ps -s $m -o pid=)" : "kill -s TERM $m") + "; wait $m; echo \"code $?\"; "
                + "for i in $(seq 100); do ps -s $m -o pid= >/dev/null || exit 0; sleep 0.1; done; echo 'fail: somebody is left'",
                MainHost.HelperPath, FormattableString.Invariant($"{milliseconds / 1000.0:0.000}")])
        {
            RedirectStandardOutput = true, RedirectStandardError = true, UseShellExecute = false,
        };
        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string said = await process.StandardOutput.ReadToEndAsync().WaitAsync(Patience);
        string code = said.Split('\n').Last(line => line.StartsWith("code ", StringComparison.Ordinal));
        return (int.Parse(code[5..], System.Globalization.CultureInfo.InvariantCulture), said + await errors.WaitAsync(Patience));
    }

    [TestCase("stay")]
    [TestCase("hang")]
    public async Task A_worker_whose_main_node_is_gone_stops_its_host_and_exits_with_69(string what)
    {
        var lines = new ConcurrentQueue<string>();
        var working = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using MainNode main = MainNode.Start();
        WorkerProcess worker = main.StartWorker(
            new WorkerStartOptions(MainHost.HelperPath, what).With(
                new PacketRouter().On<Note>(_ => working.TrySetResult()), line => lines.Enqueue(line.Text)));
        await working.Task.WaitAsync(Patience);
        (await worker.WaitForLinkAsync()).Abort("the test cuts it");
        WorkerExit exit = await worker.WaitForExitAsync().WaitAsync(Patience);
        Assert.That(exit.Process.ExitCode, Is.EqualTo(WorkerHost.MainNodeGoneExitCode), exit.Report);
        Assert.That(lines, Has.Some.EqualTo("stopping"));
        Assert.That(lines, Has.Some.EqualTo("secret []"), "the host's configuration had it still");
    }

    /// <summary>Services had what the stop left behind a request that was not answered: 500 ms.</summary>
    [Test]
    public async Task A_request_that_is_not_answered_leaves_services_time_to_stop()
    {
        await using MainHost main = await MainHost.StartAsync();
        WorkerProcess worker = main.StartWorker("stay");
        await main.Notes.First.WaitAsync(Patience);
        Link link = await worker.WaitForLinkAsync();
        Task<Sum> hangs = link.RequestAsync(new Add(-1, 0));
        WorkerExit exit = await worker.StopAsync("done", TimeSpan.FromSeconds(4)).WaitAsync(Patience);
        Assert.That(main.Notes.Texts, Has.Some.EqualTo("n1: stopped in order"), exit.Report);
        Assert.That((await Assert.ThrowsAsync<TransportException>(() => hangs))!.Fault, Is.EqualTo(TransportFault.Stopped));
    }

    [Test]
    public async Task A_worker_of_which_a_service_throws_ends_with_a_failure_and_says_which()
    {
        await using MainHost main = await MainHost.StartAsync();
        WorkerExit exit = await main.StartWorker("throw").WaitForExitAsync().WaitAsync(Patience);
        Assert.That((exit.IsClean, exit.IsSuccess, exit.Process.ExitCode, exit.Cause), Is.EqualTo((false, false, 70, "exit 70")), exit.Report);
        Assert.That(exit.Report, Does.Contain("Work threw InvalidOperationException: no disk"));
        Assert.That(exit.AllPacketsHandled, Is.True, exit.Report);
    }

    [Test]
    public async Task A_worker_that_somebody_else_stops_ends_with_a_failure_and_the_signal()
    {
        await using MainHost main = await MainHost.StartAsync();
        WorkerProcess worker = main.StartWorker("stay");
        await main.Notes.First.WaitAsync(Patience);
        using (var kill = Process.Start("/bin/sh", ["-c", $"kill -s TERM {worker.ProcessId}"]))
        {
            await kill.WaitForExitAsync().WaitAsync(Patience);
        }

        WorkerExit exit = await worker.WaitForExitAsync().WaitAsync(Patience);
        Assert.That((exit.IsSuccess, exit.Process.ExitCode), Is.EqualTo((false, 143)), exit.Report);
        Assert.That(exit.Report, Does.Contain("it was stopped by SIGTERM"));
        Assert.That(main.Notes.Texts, Has.Some.EqualTo("n1: stopped in order"));
    }

    [Test]
    public async Task A_host_that_is_stopping_already_when_its_main_node_is_gone_does_not_stay()
    {
        var stopping = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using MainNode main = MainNode.Start(new MainNodeOptions { BrokenLinkGrace = Patience, StopTimeout = Patience });
        WorkerProcess worker = main.StartWorker(
            new WorkerStartOptions(MainHost.HelperPath, "hang").With(
                new PacketRouter().OnUnknown(_ => Task.CompletedTask),
                line => _ = line.Text == "stopping" && stopping.TrySetResult()));
        Link link = await worker.WaitForLinkAsync().WaitAsync(Patience);
        Task<WorkerExit> ending = worker.StopAsync("first asked");
        await stopping.Task.WaitAsync(Patience);
        link.Abort("then gone");
        WorkerExit exit = await ending.WaitAsync(Patience);
        Assert.That(exit.Process.ExitCode, Is.EqualTo(WorkerHost.MainNodeGoneExitCode), exit.Report);
    }

    [Test]
    public async Task A_worker_that_is_stopped_while_it_is_starting_is_no_error()
    {
        MainHost main = await MainHost.StartAsync();
        _ = main.Main.StartWorker(new WorkerStartOptions("/bin/sh", "-c", "sleep 100"));
        await main.DisposeAsync();
        LogEntry entry = main.Log.Entries.Single(e => e.Message.StartsWith("Worker n1", StringComparison.Ordinal)
            && !e.Message.Contains("started:", StringComparison.Ordinal));
        Assert.That((entry.Level, entry.Message), Is.EqualTo((LogLevel.Information, entry.Message)));
        Assert.That(entry.Message, Does.Match(@"^Worker n1 \(pid \d+\) was stopped while it was starting: killed SIGTERM$"));
    }

    [Test]
    public async Task Rules_that_cannot_be_read_are_logged_and_the_last_good_ones_stay()
    {
        using var folder = new TemporaryFolder();
        string file = Path.Combine(folder.Path, "appsettings.json");
        File.WriteAllText(file, """{ "Logging": { "LogLevel": { "Default": "Information" } } }""");
        MainHost main = await MainHost.StartAsync(settingsFile: file);
        WorkerProcess worker = main.StartWorker("stay");
        await main.Notes.First.WaitAsync(Patience);
        File.WriteAllText(file, """{ "Logging": { "LogLevel": { "Default": "Loud" } } }""");
        LogEntry entry = await main.Log.WaitForAsync(e => e.Level == LogLevel.Error);
        Assert.That(entry.Message, Does.Contain("Loud").And.Contains("workers keep their levels"));
        WorkerExit exit = await worker.StopAsync("done").WaitAsync(Patience);
        await main.DisposeAsync();
        Assert.That(exit.IsSuccess, Is.True, exit.Report);
        Assert.That(main.Log.Entries.Select(e => e.Message), Has.Some.Contains("exited: clean"));
    }

    [TestCase("settings")]
    [TestCase("settings-default")]
    public async Task A_worker_reads_the_settings_of_its_own_folder(string way)
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(Path.Combine(folder.Path, "appsettings.json"), """{ "Of": "the main node" }""");
        using var process = Process.Start(new ProcessStartInfo(MainHost.HelperPath, way)
        {
            RedirectStandardOutput = true, UseShellExecute = false, WorkingDirectory = folder.Path,
        })!;
        string output = await process.StandardOutput.ReadToEndAsync().WaitAsync(Patience);
        Assert.That(output.Trim(), Is.EqualTo("settings of the worker"));
    }

    [Test]
    public async Task Options_of_the_caller_are_left_as_they_are()
    {
        await using MainHost main = await MainHost.StartAsync();
        var start = new WorkerStartOptions(MainHost.HelperPath, "stay");
        _ = await main.Main.StartWorker(start).WaitForLinkAsync().WaitAsync(Patience);
        _ = await main.Main.StartWorker(start).WaitForLinkAsync().WaitAsync(Patience);
        Assert.That((start.OwnProcessGroup, start.Node, start.Output), Is.EqualTo((false, (string?)null, (Action<OutputLine>?)null)),
            "its handlers are in a copy too: the first start has frozen these");
    }

    [Test]
    public async Task A_worker_that_no_main_node_has_started_says_so_and_exits_with_64()
    {
        using var process = Process.Start(new ProcessStartInfo(MainHost.HelperPath, "stay")
        {
            RedirectStandardOutput = true, UseShellExecute = false,
        })!;
        string output = await process.StandardOutput.ReadToEndAsync().WaitAsync(Patience);
        await process.WaitForExitAsync().WaitAsync(Patience);
        Assert.That(process.ExitCode, Is.EqualTo(WorkerHost.NotAWorkerExitCode), output);
        Assert.That(output, Does.Contain("No main node has started this process: start it with MainNode.StartWorker"));
    }

    [Test]
    public async Task Requests_are_answered_by_a_handler_of_the_container()
    {
        await using MainHost main = await MainHost.StartAsync();
        Link link = await main.StartWorker("stay").WaitForLinkAsync().WaitAsync(Patience);
        Assert.That((await link.RequestAsync(new Add(20, 22))).Value, Is.EqualTo(42));
    }

    [Test]
    public async Task A_scoped_handler_is_made_and_disposed_for_each_packet()
    {
        ScopedHandler.Reset();
        await using MainHost main = await MainHost.StartAsync(configure: services =>
        {
            HandlerRegistration first = (HandlerRegistration)services.Single(s => s.ServiceType == typeof(HandlerRegistration))
                .ImplementationInstance!;
            _ = services.Remove(services.Single(s => s.ImplementationInstance == first));
            _ = services.AddPacketHandler<Note, ScopedHandler>(ServiceLifetime.Scoped);
        });
        WorkerExit exit = await main.StartWorker("log").WaitForExitAsync().WaitAsync(Patience);
        Assert.That(exit.AllPacketsHandled, Is.True, exit.Report);
        Assert.That((ScopedHandler.Made, ScopedHandler.Disposed), Is.EqualTo((2, 2)));
    }

    /// <summary>A reload held the rules' change while it waited for the host's lock, which a stop held while it waited for the reload: both
    /// waited for ever.</summary>
    [Test]
    public async Task A_reload_while_the_host_stops_keeps_neither_waiting()
    {
        var rules = new SlowRules();
        await using MainHost main = await MainHost.StartAsync(configure: services => services
            .AddSingleton<IOptionsChangeTokenSource<LoggerFilterOptions>>(rules)
            .AddHostedService(_ => rules));   // stops just before the main node
        _ = await main.StartWorker("stay").WaitForLinkAsync().WaitAsync(Patience);
        Task reload = Task.Run(rules.Reload);
        await rules.Reloading.WaitAsync(Patience);
        await main.StopAsync().WaitAsync(Patience);
        await reload.WaitAsync(Patience);
    }

    [Test]
    public async Task A_level_that_is_reloaded_reaches_the_workers()
    {
        var settings = new Dictionary<string, string?> { ["Logging:LogLevel:Default"] = "Information" };
        await using MainHost main = await MainHost.StartAsync(settings);
        WorkerProcess worker = main.StartWorker("debug");
        await main.Notes.First.WaitAsync(Patience);
        Assert.That(main.Log.Entries.Any(e => e.Message == "debug"), Is.False);
        main.Configuration["Logging:LogLevel:Default"] = "Debug";
        main.Configuration.Reload();
        LogEntry entry = await main.Log.WaitForAsync(e => e.Message == "debug");
        Assert.That(entry.Scopes[0], Is.EqualTo("Node=" + worker.Node));
    }

    [Test]
    public async Task Rules_by_category_that_are_changed_in_a_file_reach_the_workers_and_other_categories_stay_as_they_are()
    {
        using var folder = new TemporaryFolder();
        string file = Path.Combine(folder.Path, "appsettings.json");
        void Write(string more) =>
            File.WriteAllText(file, $$$"""{ "Logging": { "LogLevel": { "Default": "Warning"{{{more}}} } } }""");
        Write(string.Empty);
        await using MainHost main = await MainHost.StartAsync(settingsFile: file);
        _ = main.StartWorker("debug");
        await main.Notes.First.WaitAsync(Patience);
        var clock = Stopwatch.StartNew();
        Write(""", "Transport.Hosting.Helper": "Debug" """);
        _ = await main.Log.WaitForAsync(e => e.Message == "debug");
        TestContext.Out.WriteLine($"followed after {clock.Elapsed.TotalMilliseconds:f0} ms");
        Assert.That(main.Notes.Texts, Has.None.Contains("other"), "only the one category is on at the worker");
        Write(""", "Transport.Hosting.Helper": "Debug", "Other": "Debug" """);
        Assert.That(() => main.Notes.Texts, Has.Some.Contains("other is enabled").After(10_000, 20));
    }

    [Test]
    public async Task What_the_library_reports_of_itself_is_logged_while_the_host_runs()
    {
        var settings = new Dictionary<string, string?> { ["Logging:LogLevel:Default"] = "Debug" };
        MainHost main = await MainHost.StartAsync(settings);
        WorkerProcess worker = main.StartWorker("stay");
        LogEntry opened = await main.Log.WaitForAsync(e => e.Category == "Transport.Link" && e.Message.Contains(worker.Node));
        Assert.That((opened.Level, opened.Id.Id, opened.Id.Name), Is.EqualTo((LogLevel.Debug, 1, "LinkOpened")));
        Assert.That(opened.Message, Is.EqualTo($"main opened a link with {worker.Node} over UnixSocket"));
        await main.DisposeAsync();
        int logged = main.Log.Entries.Count;
        await using (MainNode another = MainNode.Start())
        {
            WorkerProcess later = another.StartWorker(new WorkerStartOptions(MainHost.HelperPath, "stay"));
            _ = await later.WaitForLinkAsync().WaitAsync(Patience);
        }

        Assert.That(main.Log.Entries, Has.Count.EqualTo(logged), "the host is gone, and its listener");
    }

    [Test]
    public async Task Every_wrong_key_is_named_in_one_error()
    {
        MainHost main = MainHost.Build(new Dictionary<string, string?>
        {
            ["Transport:MainNode:TailBites"] = "1",
            ["Transport:MainNode:TailBytes"] = "many",
            ["Transport:MainNode:StopTimeout"] = "02:00:00",
        });
        TransportException error = (await Assert.ThrowsAsync<TransportException>(main.StartAsync))!;
        Assert.That(error.Fault, Is.EqualTo(TransportFault.BadConfiguration));
        Assert.That(error.Message, Does.Contain("Transport:MainNode:TailBites is no known key, known: BrokenLinkGrace, ConnectTimeout")
            .And.Contain("Transport:MainNode:TailBytes = many, allowed: 0, or 65536 to 268435456").And.Contain("StopTimeout = 02:00:00"));
    }

    [Test]
    public async Task Known_keys_are_used()
    {
        await using MainHost main = await MainHost.StartAsync(new Dictionary<string, string?> { ["Transport:MainNode:NodePrefix"] = "w" });
        Assert.That(main.StartWorker("log").Node, Is.EqualTo("w1"));
    }

    [Test]
    public void Two_of_a_kind_are_refused()
    {
        var services = new ServiceCollection();
        _ = services.AddTransportMainNode().AddTransportWorker();
        Assert.That(() => services.AddTransportMainNode(), Throws.InvalidOperationException.With.Message.Contains("called twice"));
        Assert.That(() => services.AddTransportWorker(), Throws.InvalidOperationException.With.Message.Contains("called twice"));
        Assert.That(
            () => services.AddLogging(logging => logging.AddTransport().AddTransport()),
            Throws.InvalidOperationException.With.Message.Contains("AddTransport was called twice"));
    }

    private sealed class ScopedHandler : IPacketHandler<Note>, IDisposable
    {
        private static int _made;
        private static int _disposed;

        public ScopedHandler() => Interlocked.Increment(ref _made);

        public static int Made => Volatile.Read(ref _made);

        public static int Disposed => Volatile.Read(ref _disposed);

        public static void Reset() => (_made, _disposed) = (0, 0);

        public Task HandleAsync(Note packet, PacketContext context) => Task.CompletedTask;

        public void Dispose() => Interlocked.Increment(ref _disposed);
    }
}
