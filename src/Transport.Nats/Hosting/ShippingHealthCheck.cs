using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Transport.Nats;

/// <summary>Whether a shipper reaches its server. What waits in the journal is not lost: a problem is degraded health, its end is a
/// failure.</summary>
internal sealed class ShippingHealthCheck(JournalShipper shipper) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        ShipperStatus status = shipper.Status;
        var data = new Dictionary<string, object>
        {
            ["read"] = status.Read,
            ["published"] = status.Published,
            ["received"] = status.Received,
            ["waitingBytes"] = status.WaitingBytes,
            ["lagSeconds"] = status.Lag.TotalSeconds,
            ["missed"] = status.Missed,
        };
        return Task.FromResult(
            shipper.Completion.Exception is { } failure ? new HealthCheckResult(
                context.Registration.FailureStatus, $"nothing is shipped any more: {failure.InnerException!.Message}",
                failure.InnerException, data)
            : status.Problem is { } problem ? HealthCheckResult.Degraded($"nothing is shipped at the moment: {problem}", data: data)
            : HealthCheckResult.Healthy("the journal is shipped", data));
    }
}
