using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Transport.Journal;

namespace Transport.Hosting;

/// <summary>Whether a journal takes packets.</summary>
internal sealed class JournalHealthCheck(PacketJournal journal) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        var data = new Dictionary<string, object> { ["directory"] = journal.Directory };
        HealthStatus bad = context.Registration.FailureStatus;
        return Task.FromResult(
            journal.Failure is { } failure
                ? new HealthCheckResult(bad, $"the journal takes nothing any more: {failure.Message}", failure, data)
            : journal.Obstacle is { } obstacle
                ? new HealthCheckResult(bad, $"the journal takes nothing at present: {obstacle.Message}", obstacle, data)
            : HealthCheckResult.Healthy("the journal takes packets", data));
    }
}
