using Hosted.Worker;
using Transport;
using Transport.Hosting;

namespace Hosted.Main;

internal sealed class Build(MainNode main, IHostApplicationLifetime lifetime) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        WorkerProcess worker = main.StartWorker(new WorkerStartOptions(AppContext.BaseDirectory + "HostedWorker"));
        _ = await worker.WaitForExitAsync(stoppingToken);
        lifetime.StopApplication();
    }
}

internal sealed class CompiledHandler(ILogger<CompiledHandler> log) : IPacketHandler<Compiled>
{
    public Task HandleAsync(Compiled packet, PacketContext context)
    {
        log.LogInformation("{Node} has compiled {File}", context.Node, packet.File);
        return Task.CompletedTask;
    }
}
