using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Nats;

/// <summary>What an agent has its requests answered by.</summary>
internal interface IWorkRunner
{
    /// <summary>Gets how many it answers at once.</summary>
    int Slots { get; }

    /// <summary>Answers one.</summary>
    /// <param name="item">The request.</param>
    /// <param name="report">Takes reports; null: none are wanted. May be called from any thread.</param>
    /// <param name="cancellationToken">Nobody waits for the answer any more.</param>
    /// <returns>The response, or what failed; null: it can answer nothing any more, and another agent must.</returns>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    Task<WorkOutcome?> RunAsync(WorkItem item, Action<byte[]>? report, CancellationToken cancellationToken);
}
