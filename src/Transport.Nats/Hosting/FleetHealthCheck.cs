using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace Transport.Nats;

/// <summary>Whether a shipper, receiver or agent reaches its server. What waits is not lost: a problem is degraded health, its end is a
/// failure.</summary>
/// <param name="does">What is done: "shipped", "received", "answered".</param>
/// <param name="what">What is: "journals", "requests".</param>
/// <param name="completion">Its end.</param>
/// <param name="look">Gives the problem, if there is one, and the data.</param>
internal sealed class FleetHealthCheck(
    string does, string what, Task completion, Func<(string? Problem, IReadOnlyDictionary<string, object> Data)> look) : IHealthCheck
{
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default)
    {
        (string? problem, IReadOnlyDictionary<string, object> data) = look();
        return Task.FromResult(
            completion.Exception?.InnerException is { } failure ? new HealthCheckResult(
                context.Registration.FailureStatus, $"nothing is {does} any more: {failure.Message}", failure, data)
            : problem is not null ? HealthCheckResult.Degraded($"nothing is {does} at the moment: {problem}", data: data)
            : HealthCheckResult.Healthy($"{what} are {does}", data));
    }

    /// <summary>Makes the check of a shipper.</summary>
    public static FleetHealthCheck Of(JournalShipper shipper) => new("shipped", "journals", shipper.Completion, () =>
    {
        ShipperStatus status = shipper.Status;
        return (status.Problem, new Dictionary<string, object>
        {
            ["read"] = status.Read,
            ["published"] = status.Published,
            ["received"] = status.Received,
            ["waitingBytes"] = status.WaitingBytes,
            ["lagSeconds"] = status.Lag.TotalSeconds,
            ["missed"] = status.Missed,
            ["missedByReceiver"] = status.MissedByReceiver,
        });
    });

    /// <summary>Makes the check of a receiver.</summary>
    public static FleetHealthCheck Of(JournalReceiver receiver) => new("received", "journals", receiver.Completion, () =>
    {
        ReceiverStatus status = receiver.Status;
        return (status.Problem, new Dictionary<string, object>
        {
            ["journals"] = status.Journals.Count,
            ["gaps"] = status.Journals.Sum(one => one.Gaps.Count),
            ["quarantined"] = status.Quarantined,
        });
    });

    /// <summary>Makes the check of an agent.</summary>
    public static FleetHealthCheck Of(WorkAgent agent) => new("answered", "requests", agent.Completion, () =>
    {
        AgentStatus status = agent.Status;
        return (status.Problem, new Dictionary<string, object>
        {
            ["running"] = status.Running,
            ["completed"] = status.Completed,
            ["failed"] = status.Failed,
            ["unwanted"] = status.Unwanted,
        });
    });
}
