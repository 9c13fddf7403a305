using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Nats;

/// <summary>Tries something with a server again and again, with longer and longer pauses while it is of no use.</summary>
internal static class Tries
{
    private static readonly TimeSpan LeastPause = TimeSpan.FromMilliseconds(100), MostPause = TimeSpan.FromSeconds(5);

    /// <summary>Tries until it is done.</summary>
    /// <param name="once">One try, by its number; true: done.</param>
    /// <param name="failed">Told why a try has failed.</param>
    /// <param name="worked">When the server was last of use, as the clock's timestamp.</param>
    /// <param name="again">Gives a task that ends a pause early: the connection is there again.</param>
    /// <param name="giveUpAfter">After how long without use the failure is thrown; null: never.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="FleetException">It was given up.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public static async Task RunAsync(
        Func<int, Task<bool>> once, Action<string> failed, Func<long> worked, Func<Task> again, TimeSpan? giveUpAfter, TimeProvider clock,
        CancellationToken cancellationToken)
    {
        TimeSpan pause = LeastPause;
        for (int attempt = 0; ; attempt++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            long before = worked();
            Task opened = again();
            try
            {
                if (await once(attempt).ConfigureAwait(false))
                {
                    return;
                }

                pause = LeastPause;
            }
            catch (FleetException e) when (e.Fault is not (FleetFault.InUse or FleetFault.OriginUnknown))
            {
                failed(e.Message);
                if (clock.GetElapsedTime(worked()) > giveUpAfter)
                {
                    throw new FleetException(e.Fault, FormattableString.Invariant(
                        $"Given up after {giveUpAfter.Value.TotalSeconds:0.#} s without a server that can be used. {e.Message}"), e);
                }

                pause = worked() == before ? pause : LeastPause;
                _ = await Delay.InTimeAsync(opened.IsCompleted ? again() : opened, clock, pause, cancellationToken).ConfigureAwait(false);
                pause = pause * 2 < MostPause ? pause * 2 : MostPause;
            }
        }
    }
}
