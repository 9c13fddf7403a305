using System;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Transport.Hosting;

/// <summary>A host's pool of workers: started with the host's services, stopped before its main node.</summary>
internal sealed class HostedWorkerPool : IHostedService, IAsyncDisposable
{
    private static readonly HostOptionsReader<WorkerPoolOptions> Keys = new HostOptionsReader<WorkerPoolOptions>("Transport:WorkerPool")
        .Integer("Size", "1 to 1024", static (options, value) => options.Size = value)
        .Flag("TakesTurns", static (options, value) => options.TakesTurns = value)
        .Integer("MaxRequestsPerWorker", "1 to 65536", static (options, value) => options.MaxRequestsPerWorker = value)
        .Integer("RecycleAfterRequests", "0 to 2147483647", static (options, value) => options.RecycleAfterRequests = value)
        .Integer("RecycleAboveBytes", "0 or more", static (options, value) => options.RecycleAboveBytes = value)
        .Name<WorkerRestart>("Restart", "Always, OnFailure or Never", static (options, value) => options.Restart = value)
        .Integer("MaxRestarts", "0 to 100000", static (options, value) => options.MaxRestarts = value)
        .Time("RestartWindow", "00:00:01 to 1.00:00:00", static (options, value) => options.RestartWindow = value)
        .Time("MinBackoff", "00:00:00 to 01:00:00", static (options, value) => options.MinBackoff = value)
        .Time("MaxBackoff", "MinBackoff to 01:00:00", static (options, value) => options.MaxBackoff = value);

    public HostedWorkerPool(
        IServiceProvider services, IConfiguration? configuration, Func<WorkerStartOptions> start, Action<WorkerPoolOptions>? configure)
    {
        MainNode main = services.GetRequiredService<MainNode>();
        ILogger log = services.GetRequiredService<ILoggerFactory>().CreateLogger("Transport.Hosting");
        var options = new WorkerPoolOptions();
        Keys.Read(configuration, options, read =>
        {
            configure?.Invoke(read);
            _ = read.CheckedCopy();
        });
        Action<string, TimeSpan?>? onStartFailed = options.OnStartFailed;
        options.OnStartFailed = (problem, nextTry) =>
        {
            if (nextTry is { } delay)
            {
                log.LogWarning("A worker of the pool could not be started: {Problem} It is tried again in {Delay:0.###} s.", problem,
                    delay.TotalSeconds);
            }
            else
            {
                log.LogError("A worker of the pool could not be started, and its place stays empty: {Problem}", problem);
            }

            onStartFailed?.Invoke(problem, nextTry);
        };
        Action<WorkerPoolStatus>? onGaveUp = options.OnGaveUp;
        options.OnGaveUp = status =>
        {
            log.LogCritical(
                "The worker pool gives up: {Restarts} workers were restarted and another one is needed (MaxRestarts = {MaxRestarts} within "
                    + "{RestartWindow}). {Running} of {Size} run on. Last problem: {Problem}",
                status.Restarts, options.MaxRestarts, options.RestartWindow, status.Running, status.Size,
                status.LastProblem ?? status.LastExit?.ToString());
            onGaveUp?.Invoke(status);
        };
        Pool = main.CreatePool(start(), options);
    }

    public WorkerPool Pool { get; }

    public Task StartAsync(CancellationToken cancellationToken)
    {
        Pool.Start();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) =>
        Pool.StopAsync("the main node's host stops", cancellationToken: cancellationToken);

    public ValueTask DisposeAsync() => Pool.DisposeAsync();
}
