using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Transport;
using Transport.Hosting;
using TransportApp.Packets;

namespace TransportApp.Main;

/// <summary>Starts a worker, and stops the host when the worker has exited.</summary>
internal sealed class Build(MainNode main, IHostApplicationLifetime lifetime) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        WorkerProcess worker = main.StartWorker(WorkerStartOptions.ForProject("Worker"));
        WorkerExit exit = await worker.WaitForExitAsync(stoppingToken);
        Environment.ExitCode = exit.IsSuccess ? 0 : 1;
        lifetime.StopApplication();
    }
}

/// <summary>Handles what workers have compiled; made by the container, with whatever it asks for.</summary>
internal sealed class CompiledHandler(ILogger<CompiledHandler> log) : IPacketHandler<Compiled>
{
    public Task HandleAsync(Compiled packet, PacketContext context)
    {
        log.LogInformation("{Node}: {Packet}", context.Node, packet);
        return Task.CompletedTask;
    }
}
