using Transport;
using Transport.Hosting;

namespace Hosted.Worker;

internal sealed class Compile(IWorkerLink worker, ILogger<Compile> log, IHostApplicationLifetime lifetime) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        log.LogInformation("Compiling {File}", "a.cs");
        _ = await worker.Link.SendAsync(new Compiled("a.cs"), stoppingToken);
        lifetime.StopApplication();
    }
}

[Packet(1024)]
public sealed partial record Compiled(string File);
