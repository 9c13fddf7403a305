using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Transport.Nats;

/// <summary>Whether a receiver reaches its server, and whether what came was whole.</summary>
internal sealed class ReceivingHealthCheck(JournalReceiver receiver) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        ReceiverStatus status = receiver.Status;
        var data = new Dictionary<string, object>
        {
            ["journals"] = status.Journals.Count,
            ["gaps"] = status.Journals.Sum(one => one.Gaps.Count),
            ["quarantined"] = status.Quarantined,
        };
        return Task.FromResult(
            receiver.Completion.Exception is { } failure ? new HealthCheckResult(
                context.Registration.FailureStatus, $"nothing is received any more: {failure.InnerException!.Message}",
                failure.InnerException, data)
            : status.Problem is { } problem ? HealthCheckResult.Degraded($"nothing is received at the moment: {problem}", data: data)
            : HealthCheckResult.Healthy("journals are received", data));
    }
}
