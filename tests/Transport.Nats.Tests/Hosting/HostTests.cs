using System;
using System.Collections.Generic;
using System.IO;
using System.Threading.Tasks;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using NATS.Client.Core;
using NUnit.Framework;
using Transport.Hosting;
using Transport.Journal;
using Transport.Nats.Helper;
using Transport.Nats.Tests.Kit;
using Transport.Testing;
using Transport.Testing.Servers;
using Transport.Testing.Wires;

namespace Transport.Nats.Tests.Hosting;

/// <summary>Shipping and receiving as services of generic hosts.</summary>
internal sealed class HostTests
{
    [Test]
    public async Task What_a_host_appends_before_it_stops_is_received_by_another([Values] bool hasOwnConnection)
    {
        await using NatsServer server = await NatsServer.StartAsync();
        using var folder = new TemporaryFolder();
        string source = Path.Combine(folder.Path, "source"), received = Path.Combine(folder.Path, "received");
        using IHost receiving = Build(server.Url, builder =>
        {
            builder.Services.AddTransportReceiving(received);
            builder.Services.AddHealthChecks().AddTransportReceiving();
        });
        await receiving.StartAsync();
        JournalReceiver receiver = receiving.Services.GetRequiredService<JournalReceiver>();
        Guid id;
        using (IHost shipping = Build(server.Url, builder =>
        {
            builder.Services.AddSingleton(_ => PacketJournal.Open(source));
            builder.Services.AddTransportShipping();
            builder.Services.AddHealthChecks().AddTransportShipping();
            if (hasOwnConnection)
            {
                builder.Services.AddSingleton<INatsConnection>(_ => server.Connect());
            }
        }))
        {
            await shipping.StartAsync();
            PacketJournal journal = shipping.Services.GetRequiredService<PacketJournal>();
            id = journal.Id;
            await Records.AppendAsync(journal, 1, 1_000);
            await shipping.StopAsync();
        }

        ReceivedJournal one = await Records.WaitAsync(receiver, id, 1_000);
        Assert.That(one.Machine, Is.EqualTo("build7"));
        HealthReport health = await receiving.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync();
        Assert.That(health.Status, Is.EqualTo(HealthStatus.Healthy));
        Assert.That(health.Entries["transport-receiving"].Data["journals"], Is.EqualTo(1));
        await receiving.StopAsync();
        Assert.That(Records.Of(one.Directory), Is.EqualTo(Records.Of(source)));
    }

    [Test]
    public async Task A_host_asks_another_whose_own_handlers_answer_and_which_answers_what_it_has_before_it_stops()
    {
        await using NatsServer server = await NatsServer.StartAsync();
        using IHost agent = Build(server.Url, builder =>
        {
            builder.Services.AddTransportHandlers((_, router) => router.OnRequest<Square, Squared>(async (square, context) =>
            {
                await Task.Delay(square.Milliseconds, context.CancellationToken);
                return new Squared(square.Number * square.Number, 1);
            }));
            builder.Services.AddTransportAgent();
            builder.Services.AddHealthChecks().AddTransportAgent();
        });
        using IHost caller = Build(server.Url, builder => builder.Services.AddTransportRemotePool());
        await agent.StartAsync();
        await caller.StartAsync();
        IRequestSender workers = caller.Services.GetRequiredService<IRequestSender>();
        Assert.That((await workers.RequestAsync(new Square(3)).Within("the answer")).Value, Is.EqualTo(9));
        HealthReport health = await agent.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync();
        Assert.That(health.Entries["transport-agent"].Description, Is.EqualTo("requests are answered"));

        RemotePool pool = caller.Services.GetRequiredService<RemotePool>();
        Assert.That(workers, Is.SameAs(pool));
        Task<Squared> slow = workers.RequestAsync(new Square(4, 500));
        await Records.UntilAsync(() => pool.Status.Running == 1, () => pool.Status.ToString());
        await agent.StopAsync();
        Assert.That((await slow.Within("what the agent had when it was asked to stop")).Value, Is.EqualTo(16));
        Assert.That(pool.Status.Retried, Is.Zero);
        await caller.StopAsync();
    }

    [Test]
    public async Task Without_a_server_the_host_runs_and_its_health_is_degraded_with_the_reason()
    {
        using var folder = new TemporaryFolder();
        using IHost host = Build("nats://127.0.0.1:1", builder =>
        {
            builder.Services.AddSingleton(_ => PacketJournal.Open(Path.Combine(folder.Path, "source")));
            builder.Services.AddTransportShipping();
            builder.Services.AddHealthChecks().AddTransportShipping();
        });
        await host.StartAsync();
        await Records.AppendAsync(host.Services.GetRequiredService<PacketJournal>(), 1, 1_000);
        JournalShipper shipper = host.Services.GetRequiredService<JournalShipper>();
        await Records.UntilAsync(() => shipper.Status.Problem is not null, () => $"{shipper.Status}");
        HealthReport health = await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync();
        Assert.That(health.Status, Is.EqualTo(HealthStatus.Degraded));
        Assert.That(health.Entries["transport-shipping"].Description, Does.Contain("nats://127.0.0.1:1"));
        await host.StopAsync();
    }

    [Test]
    public void Keys_that_cannot_be_used_are_named_together()
    {
        using IHost host = Build("nats://127.0.0.1:1", builder =>
        {
            builder.Services.AddSingleton(_ => PacketJournal.Open(Path.Combine(Path.GetTempPath(), "never")));
            builder.Services.AddTransportShipping();
            builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?>
            {
                ["Transport:Nats:Urll"] = "x", ["Transport:Nats:Create"] = "maybe", ["Transport:Nats:WindowBytes"] = "1",
            });
        });
        Assert.That(() => host.StartAsync(), Throws.TypeOf<TransportException>()
            .With.Message.Contains("Transport:Nats:Urll is no known key")
            .And.Message.Contains("Transport:Nats:Create = maybe, allowed: true or false").And.Message.Contains("WindowBytes = 1"));
    }

    [Test]
    public void A_second_shipper_or_receiver_of_a_host_is_refused()
    {
        var services = new ServiceCollection();
        services.AddTransportShipping().AddTransportReceiving("folder");
        Assert.That(() => services.AddTransportShipping(), Throws.InvalidOperationException.With.Message.Contains("called twice"));
        Assert.That(() => services.AddTransportReceiving("folder"), Throws.InvalidOperationException.With.Message.Contains("called twice"));
    }

    private static IHost Build(string url, Action<HostApplicationBuilder> configure)
    {
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Configuration.AddInMemoryCollection(new Dictionary<string, string?>
        {
            ["Transport:Nats:Url"] = url, ["Transport:Nats:Create"] = "true", ["Transport:Nats:Machine"] = "build7",
        });
        builder.Services.AddLogging();
        configure(builder);
        return builder.Build();
    }
}
