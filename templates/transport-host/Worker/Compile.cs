using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Transport;
using Transport.Hosting;
using TransportApp.Packets;

namespace TransportApp.Worker;

/// <summary>The worker's work. The link is there before it starts.</summary>
internal sealed class Compile(IWorkerLink worker, ILogger<Compile> log, IHostApplicationLifetime lifetime) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        for (int i = 1; i <= 3; i++)
        {
            log.LogInformation("Compiling {File}", $"File{i}.cs");
            _ = await worker.Link.SendAsync(new Compiled($"File{i}.cs", 40 * i), stoppingToken);
        }

        lifetime.StopApplication();
    }
}
