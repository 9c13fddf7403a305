using System;
using System.Threading.Tasks;

namespace Transport;

/// <summary>The crash tail at the receiving end: what an exited process had queued goes on where its stream ended.</summary>
/// <param name="read">Gives the tail once the process has exited; null if there is none. Called once.</param>
/// <param name="cut">Completes when the tail is not waited for any more: it is then counted by the code that follows the process.</param>
internal sealed class TailReplay(Func<Task<TailContent?>> read, Task cut) : IReplay
{
    private readonly object _gate = new();
    private bool _isWaiting;       // under the gate, as the next two
    private TailReport? _report;
    private long _from = -1;       // packets handled when the replay began

    /// <summary>Gets what came of the tail; null if there was none.</summary>
    public TailReport? Report
    {
        get
        {
            lock (_gate)
            {
                return _report;
            }
        }
    }

    /// <summary>Gets a value indicating whether the receive thread waits for the end of the peer's process.</summary>
    public bool IsWaiting
    {
        get
        {
            lock (_gate)
            {
                return _isWaiting;
            }
        }
    }

    /// <inheritdoc/>
    public void Run(ReceivePump pump)
    {
        if (Await() is not { } file)
        {
            return;
        }

        if (TailReader.Open(file.Bytes, out string? unusable) is not { } tail)
        {
            Note(Unusable(file.Problem ?? unusable));
            return;
        }

        lock (_gate)
        {
            _from = pump.Packets.Dispatched;
        }

        string? problem = file.Problem;
        try
        {
            for (Lane lane = Lane.Urgent; lane <= Lane.Bulk && !pump.IsStopped; lane++)
            {
                byte[] rest = tail.Continuation(lane, pump.Packets.Taken(lane).Bytes, out string invalid);
                problem = And(problem, invalid);
                problem = And(problem, pump.Replay(rest, lane));
            }
        }
        finally
        {
            Note(new TailReport { Packets = Replayed(pump), Lost = LostOf(tail, pump), Problem = problem });
        }

        if (!pump.IsStopped)
        {
            // The store takes its time too: the receipt is to say that all of it is flushed.
            pump.Packets.FlushAsync().GetAwaiter().GetResult();
        }
    }

    /// <summary>Counts the packets of a tail that is not replayed, or not to its end; once no more packets are given to handlers.</summary>
    /// <returns>Null if no process has used it.</returns>
    public TailReport? Count(TailContent file, ReceivePump pump) => TailReader.Open(file.Bytes, out string? unusable) is { } tail
        ? new TailReport { Packets = Replayed(pump), Lost = LostOf(tail, pump), Problem = file.Problem }
        : Unusable(file.Problem ?? unusable);

    private static TailReport? Unusable(string? why) => why is null ? null : new TailReport { Problem = why };

    private static string? And(string? first, string? second) =>
        string.IsNullOrEmpty(second) ? first : first is null ? second : first + "; " + second;

    private static long LostOf(TailReader tail, ReceivePump pump)
    {
        long lost = 0;
        for (Lane lane = Lane.Urgent; lane <= Lane.Bulk; lane++)
        {
            long packets = pump.Packets.Taken(lane).Packets;
            lost += Math.Min(tail.Committed(lane, packets) - packets, long.MaxValue - lost);
        }

        return lost;
    }

    private TailContent? Await()
    {
        SetWaiting(true);
        try
        {
            Task<TailContent?> content = read();
            return Task.WhenAny(content, cut).GetAwaiter().GetResult() == content ? content.GetAwaiter().GetResult() : null;
        }
        finally
        {
            SetWaiting(false);
        }
    }

    private void SetWaiting(bool isWaiting)
    {
        lock (_gate)
        {
            _isWaiting = isWaiting;
        }
    }

    private long Replayed(ReceivePump pump)
    {
        lock (_gate)
        {
            return _from < 0 ? 0 : pump.Packets.Dispatched - _from;
        }
    }

    private void Note(TailReport? report)
    {
        lock (_gate)
        {
            _report = report;
        }
    }
}
