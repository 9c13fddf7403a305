using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Transport.Journal;

namespace Transport.Hosting;

/// <summary>Whether a journal still takes packets.</summary>
internal sealed class JournalHealthCheck(PacketJournal journal) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        var data = new Dictionary<string, object> { ["directory"] = journal.Directory };
        return Task.FromResult(journal.Failure is { } failure
            ? new HealthCheckResult(
                context.Registration.FailureStatus, $"the journal takes nothing any more: {failure.Message}", failure, data)
            : HealthCheckResult.Healthy("the journal takes packets", data));
    }
}
