using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Nats;

/// <summary>Tries something with a server again and again, with longer and longer pauses while it is of no use.</summary>
internal static class Tries
{
    private static readonly TimeSpan MostPause = TimeSpan.FromSeconds(5);

    /// <summary>Gets the first pause.</summary>
    public static TimeSpan LeastPause { get; } = TimeSpan.FromMilliseconds(100);

    /// <summary>Returns the pause that follows one.</summary>
    public static TimeSpan After(TimeSpan pause) => pause * 2 < MostPause ? pause * 2 : MostPause;

    /// <summary>Tries until it is done.</summary>
    /// <param name="once">One try; true: done.</param>
    /// <param name="server">Told why a try has failed; the tries tell it what works.</param>
    /// <param name="connection">A new one ends a pause early.</param>
    /// <param name="giveUpAfter">After how long without use the failure is thrown; null: never.</param>
    /// <param name="clock">The clock.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="FleetException">It was given up.</exception>
    /// <exception cref="OperationCanceledException">Cancelled.</exception>
    public static async Task RunAsync(
        Func<Task<bool>> once, ServerState server, Reconnections connection, TimeSpan? giveUpAfter, TimeProvider clock,
        CancellationToken cancellationToken)
    {
        TimeSpan pause = LeastPause;
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            long before = server.Worked;
            Task opened = connection.Next;
            try
            {
                if (await once().ConfigureAwait(false))
                {
                    return;
                }

                pause = LeastPause;
            }
            catch (FleetException e) when (e.Fault is not (FleetFault.InUse or FleetFault.OriginUnknown))
            {
                server.Fails(e.Message);
                if (clock.GetElapsedTime(server.Worked) > giveUpAfter)
                {
                    throw new FleetException(e.Fault, FormattableString.Invariant(
                        $"Given up after {giveUpAfter.Value.TotalSeconds:0.#} s without a server that can be used. {e.Message}"), e);
                }

                pause = server.Worked == before ? pause : LeastPause;
                opened = opened.IsCompleted ? connection.Next : opened;
                _ = await Delay.InTimeAsync(opened, clock, pause, cancellationToken).ConfigureAwait(false);
                pause = After(pause);
            }
        }
    }
}
