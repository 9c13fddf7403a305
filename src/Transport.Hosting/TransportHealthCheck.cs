using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Transport.Hosting;

/// <summary>Whether a host's link, main node and pool do what they are there for.</summary>
internal sealed class TransportHealthCheck(IServiceProvider services, HealthStatus failure) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        var data = new Dictionary<string, object>(StringComparer.Ordinal);
        var found = new List<(HealthStatus Status, string Text)>();
        if (services.GetService<HostedWorker>() is { } worker)
        {
            found.Add(OfLink(worker, data));
        }

        if (services.GetService<HostedMainNode>() is { } main)
        {
            data["workers"] = main.Main.Workers.Count;
            found.Add((HealthStatus.Healthy, $"{main.Main.Workers.Count} workers run"));
        }

        if (services.GetService<HostedWorkerPool>() is { } pool)
        {
            found.Add(OfPool(pool.Pool.Status, data));
        }

        if (found.Count == 0)
        {
            throw new InvalidOperationException(
                "AddTransport checks a main node, a worker or a pool: add one (AddTransportMainNode, AddTransportWorker).");
        }

        HealthStatus status = found.Min(one => one.Status);
        return Task.FromResult(new HealthCheckResult(
            status, string.Join("; ", found.Where(one => one.Status == status).Select(one => one.Text)), exception: null, data));
    }

    private (HealthStatus Status, string Text) OfLink(HostedWorker worker, Dictionary<string, object> data)
    {
        if (worker.Current is not { } link)
        {
            return (failure, "there is no link to a main node");
        }

        data["link"] = link.IsOpen ? "open" : "closing or closed";
        data["queuedBytes"] = link.Counters.QueuedBytes;
        return link.IsOpen ? (HealthStatus.Healthy, "the link to the main node is open")
            : (failure, "the link to the main node is closing or closed");
    }

    private (HealthStatus Status, string Text) OfPool(WorkerPoolStatus pool, Dictionary<string, object> data)
    {
        data["pool.size"] = pool.Size;
        data["pool.connected"] = pool.Connected;
        data["pool.restarts"] = pool.Restarts;
        string standing = $"{pool.Connected} of {pool.Size} workers of the pool are connected";
        string last = pool.LastProblem ?? pool.LastExit?.ToString() ?? "none has exited";
        return pool.HasGivenUp ? (failure, $"the pool has given up after {pool.Restarts} restarts, {standing}; last: {last}")
            : pool.Connected == 0 ? (failure, $"{standing}; last: {last}")
            : pool.Connected < pool.Size ? (HealthStatus.Degraded, $"{standing}; last: {last}")
            : (HealthStatus.Healthy, standing);
    }
}
