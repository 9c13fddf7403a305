using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Nats;

/// <summary>Gives requests to the workers of a local pool, as bytes: neither it nor its agent knows the packets.</summary>
/// <param name="pool">The pool.</param>
/// <param name="clock">The clock.</param>
internal sealed class PoolRunner(WorkerPool pool, TimeProvider clock) : IWorkRunner
{
    /// <summary>How long a worker whose link has ended may take to exit, until the answer says that it did not.</summary>
    private static readonly TimeSpan ExitTime = TimeSpan.FromSeconds(20);

    /// <inheritdoc/>
    public int Slots => pool.Status.Size;

    /// <inheritdoc/>
    public async Task<WorkOutcome?> RunAsync(WorkItem item, Action<byte[]>? report, CancellationToken cancellationToken)
    {
        WorkerProcess? worker = null;
        try
        {
            byte[] body = await pool.ForwardAsync(
                (new PacketType<byte[]>(item.Type, item.Name, RawFormatter.Instance), item.Body),
                report is null ? null : new Reports(report), given => worker = given, item.Lane, cancellationToken).ConfigureAwait(false);
            return new WorkOutcome(TransportFault.None, string.Empty, null, body);
        }
        catch (TransportException e) when (e.Fault == TransportFault.ConnectFailed && worker is null)
        {
            return null;
        }
        catch (TransportException e)
        {
            bool isAnswer = e.Fault is TransportFault.RequestFailed or TransportFault.RequestCancelled or TransportFault.PacketMalformed
                or TransportFault.PacketTooLarge;
            return isAnswer || worker is null ? WorkOutcome.Failed(e.Fault, e.Message) : await ExitAsync(worker, e).ConfigureAwait(false);
        }
    }

    /// <summary>Says how the worker ended that had the request.</summary>
    private async Task<WorkOutcome> ExitAsync(WorkerProcess worker, TransportException fault)
    {
        Task<WorkerExit> exiting = worker.WaitForExitAsync();
        if (!await Delay.InTimeAsync(exiting, clock, ExitTime).ConfigureAwait(false))
        {
            return WorkOutcome.Failed(fault.Fault, fault.Message);
        }

        WorkerExit exit = await exiting.ConfigureAwait(false);
        return WorkOutcome.Failed(fault.Fault, $"The worker has exited before it answered: {exit}", exit.Report);
    }

    private sealed class Reports(Action<byte[]> report) : IProgress<byte[]>
    {
        public void Report(byte[] value) => report(value);
    }
}
