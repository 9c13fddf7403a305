using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using NUnit.Framework;
using Transport.Hosting.Helper;
using Transport.Journal;
using Transport.Testing.Disks;

namespace Transport.Hosting.Tests;

/// <summary>A host's pool of workers, and what its health checks say.</summary>
public sealed class PoolAndHealthTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    [Test]
    public async Task A_pool_of_a_host_is_configured_answers_logs_its_exits_and_is_unhealthy_once_it_gives_up()
    {
        var settings = new Dictionary<string, string?>
        {
            ["Transport:WorkerPool:Size"] = "2",
            ["Transport:WorkerPool:MaxRestarts"] = "1",
            ["Transport:WorkerPool:MinBackoff"] = "00:00:00.001",
            ["Transport:WorkerPool:TakesTurns"] = "True",
        };
        await using MainHost main = await MainHost.StartAsync(settings, AddPool);
        WorkerPool pool = main.Services.GetRequiredService<WorkerPool>();
        await pool.WaitForWorkersAsync(2).WaitAsync(Patience);
        Assert.That((await pool.RequestAsync(new Add(2, 3)).WaitAsync(Patience)).Value, Is.EqualTo(5));
        Assert.That(await HealthOf(main), Is.EqualTo((HealthStatus.Healthy, "2 workers run; 2 of 2 workers of the pool are connected")));

        string replaced = pool.Workers[0].Node;
        Assert.That(pool.Workers[0].Kill("a test"), Is.True);
        Assert.That((await main.Log.WaitForAsync(e => e.Message.StartsWith($"Worker {replaced} ", StringComparison.Ordinal)
            && e.Level == LogLevel.Error)).Message, Does.Contain("exited: killed SIGKILL"));
        Assert.That(() => pool.Status.Restarts, Is.EqualTo(1).After(30_000, 5));
        await pool.WaitForWorkersAsync(2).WaitAsync(Patience);

        Assert.That(pool.Workers[0].Kill("a test"), Is.True);
        LogEntry critical = await main.Log.WaitForAsync(e => e.Level == LogLevel.Critical);
        Assert.That(critical.Message, Does.StartWith("The worker pool gives up: 1 workers were restarted"));
        (HealthStatus status, string text) = await HealthOf(main);
        Assert.That(status, Is.EqualTo(HealthStatus.Unhealthy));
        Assert.That(text, Does.StartWith("the pool has given up after 1 restarts, 1 of 2 workers of the pool are connected; last: ")
            .And.Contain("killed SIGKILL"));
        Assert.That((await pool.RequestAsync(new Add(4, 5)).WaitAsync(Patience)).Value, Is.EqualTo(9), "the other worker goes on");
    }

    [Test]
    public async Task A_pool_whose_program_cannot_be_started_says_so_at_each_try_and_when_it_gives_up()
    {
        var settings = new Dictionary<string, string?>
        {
            ["Transport:WorkerPool:Size"] = "1", ["Transport:WorkerPool:MaxRestarts"] = "1",
            ["Transport:WorkerPool:MinBackoff"] = "00:00:00.250",
        };
        await using MainHost main = await MainHost.StartAsync(settings, services => services
            .AddTransportWorkerPool(() => new WorkerStartOptions("/no/such/program")));
        LogEntry warning = await main.Log.WaitForAsync(e => e.Level == LogLevel.Warning);
        Assert.That(warning.Message, Does.Contain("could not be started").And.Contain("/no/such/program")
            .And.EndWith("It is tried again in 0.25 s."));
        LogEntry error = await main.Log.WaitForAsync(e => e.Level == LogLevel.Error);
        Assert.That(error.Message, Does.Contain("its place stays empty").And.Contain("/no/such/program"));
    }

    [Test]
    public async Task The_pool_is_stopped_before_the_main_node_and_its_workers_stop_in_order()
    {
        var exits = new ConcurrentQueue<WorkerExit>();
        MainHost main = await MainHost.StartAsync(
            new Dictionary<string, string?> { ["Transport:WorkerPool:Size"] = "2" },
            services => services.AddTransportWorkerPool(
                () => new WorkerStartOptions(MainHost.HelperPath, "stay"), options => options.OnExited = exits.Enqueue));
        WorkerPool pool = main.Services.GetRequiredService<WorkerPool>();
        await pool.WaitForWorkersAsync(2).WaitAsync(Patience);
        await main.DisposeAsync();
        Assert.That(exits.Select(exit => exit.IsSuccess), Is.EqualTo(new[] { true, true }),
            string.Join("\n", exits.Select(exit => exit.Report)));
        Assert.That(pool.Status.Restarts, Is.Zero);
        Assert.That(main.Notes.Texts.Count(text => text.EndsWith("stopped in order", StringComparison.Ordinal)), Is.EqualTo(2));
    }

    [Test]
    public async Task Wrong_keys_of_a_pool_and_a_second_pool_are_refused_by_name()
    {
        var settings = new Dictionary<string, string?>
        {
            ["Transport:WorkerPool:TakesTurns"] = "1", ["Transport:WorkerPool:Sise"] = "2", ["Transport:WorkerPool:MaxRestarts"] = "-1",
            ["Transport:WorkerPool:Size"] = "-4294967294",   // 2 in its low 32 bits
        };
        TransportException error = (await Assert.ThrowsAsync<TransportException>(
            () => MainHost.StartAsync(settings, AddPool)))!;
        Assert.That(error.Message, Does.Contain("Transport:WorkerPool:TakesTurns = 1, allowed: true or false")
            .And.Contain("Transport:WorkerPool:Size = -4294967294, allowed: 1 to 1024")
            .And.Contain("Transport:WorkerPool:Sise is no known key").And.Contain("MaxRestarts = -1, allowed: 0 to 100,000"));
        var services = new ServiceCollection();
        Assert.That(
            () => services.AddTransportWorkerPool(() => null!).AddTransportWorkerPool(() => null!),
            Throws.InvalidOperationException.With.Message.Contains("AddTransportWorkerPool was called twice"));
    }

    [Test]
    public async Task A_worker_without_a_main_node_is_unhealthy_and_a_host_without_either_is_a_mistake()
    {
        HostApplicationBuilder builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { DisableDefaults = true });
        _ = builder.Services.AddTransportWorker().AddHealthChecks().AddTransport();
        using IHost worker = builder.Build();
        Assert.That(await HealthOf(worker.Services), Is.EqualTo((HealthStatus.Unhealthy, "there is no link to a main node")));
        await using ServiceProvider neither = new ServiceCollection().AddLogging().AddHealthChecks().AddTransport().Services
            .BuildServiceProvider();
        Assert.That((await HealthOf(neither)).Text, Does.StartWith("AddTransport checks a main node, a worker or a pool"));
    }

    [Test]
    public async Task A_journal_is_healthy_until_it_fails()
    {
        string directory = Path.Combine(Path.GetTempPath(), $"transport-health-{Guid.NewGuid():N}");
        try
        {
            using PacketJournal journal = PacketJournal.Open(directory, new JournalOptions { SegmentBytes = 1 << 20 });
            await using ServiceProvider services = new ServiceCollection().AddLogging().AddSingleton(_ => journal)
                .AddHealthChecks().AddTransportJournal().Services.BuildServiceProvider();
            Assert.That(await HealthOf(services), Is.EqualTo((HealthStatus.Healthy, "the journal takes packets")));
            Directory.Delete(directory, recursive: true);
            var node = new JournalNode("n1");
            byte[] body = [0xc6, 0, 1, 0, 0, .. new byte[1 << 16]];
            Assert.That(() =>
            {
                for (int i = 0; i < 64; i++)
                {
                    _ = journal.Append(node, 1024, body);   // until a new segment is to be made, in a directory that is gone
                }
            }, Throws.InstanceOf<JournalException>());
            (HealthStatus status, string text) = await HealthOf(services);
            Assert.That(status, Is.EqualTo(HealthStatus.Unhealthy));
            Assert.That(text, Does.StartWith("the journal takes nothing any more: "));
        }
        finally
        {
            if (Directory.Exists(directory))
            {
                Directory.Delete(directory, recursive: true);
            }
        }
    }

    /// <summary>It was healthy while every append failed for want of space.</summary>
    [Test]
    [Platform("Linux")]
    public async Task A_journal_on_a_full_disk_is_unhealthy_and_says_what_it_needs()
    {
        string folder = Path.Combine(Path.GetTempPath(), $"transport-health-{Guid.NewGuid():N}");
        using SmallFileSystem disk = await SmallFileSystem.MountAsync(folder, "size=300k");
        string directory = Path.Combine(disk.Path, "journal");
        using PacketJournal journal = PacketJournal.Open(directory, new JournalOptions { SegmentBytes = 64 << 10 });
        await using ServiceProvider services = new ServiceCollection().AddLogging().AddSingleton(_ => journal)
            .AddHealthChecks().AddTransportJournal().Services.BuildServiceProvider();
        var node = new JournalNode("n1");
        byte[] body = [0xc5, 0x10, 0x00, .. new byte[4096]];
        Assert.That(() =>
        {
            for (int i = 0; i < 100; i++)
            {
                _ = journal.Append(node, 1024, body);
            }
        }, Throws.InstanceOf<JournalException>());
        (HealthStatus status, string text) = await HealthOf(services);
        Assert.That(status, Is.EqualTo(HealthStatus.Unhealthy));
        Assert.That(text, Does.StartWith($"the journal takes nothing at present: The disk of \"{directory}\" has no space for another segment: "
            + "it needs 65536 bytes, ").And.EndWith(" are free. Free space: appends go on by themselves then."));
    }

    private static void AddPool(IServiceCollection services) => services
        .AddTransportWorkerPool(() => new WorkerStartOptions(MainHost.HelperPath, "stay"))
        .AddHealthChecks().AddTransport();

    private static Task<(HealthStatus Status, string Text)> HealthOf(MainHost main) => HealthOf(main.Services);

    private static async Task<(HealthStatus Status, string Text)> HealthOf(IServiceProvider services)
    {
        HealthReport report = await services.GetRequiredService<HealthCheckService>().CheckHealthAsync().WaitAsync(Patience);
        HealthReportEntry entry = report.Entries.Values.Single();
        return (entry.Status, entry.Description ?? string.Empty);
    }
}
