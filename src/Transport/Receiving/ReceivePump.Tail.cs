using System;
using System.IO;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <content>The crash-surviving tail: where the process at the other end is dead, what it had queued goes on where the stream
/// ended.</content>
internal sealed partial class ReceivePump
{
    private readonly Taken[] _taken = new Taken[4];
    private TailReport? _tailReport;
    private long _replayFrom = -1;   // packets handled when the replay began

    /// <summary>Gets or sets what gives the peer's tail once its process is dead, null where there is none, or it is not. Called once, at
    /// the end of a stream without Goodbye.</summary>
    public Func<Task<TailContent?>>? Tail { get; set; }

    /// <summary>Gets what came of the tail; null where there was none.</summary>
    public TailReport? TailReport => Volatile.Read(ref _tailReport);

    /// <summary>Counts the packets of a tail that is not replayed, or not to its end; once no more packets are given to handlers.</summary>
    /// <returns>Null if no process has used it.</returns>
    public TailReport? CountTail(TailContent file) => TailReader.Open(file.Bytes, out string? unusable) is { } tail
        ? new TailReport(Replayed, LostOf(tail), file.Problem)
        : Unusable(file.Problem ?? unusable);

    private long Replayed => Volatile.Read(ref _replayFrom) is var from and >= 0 ? Handled - from : 0;

    private static TailReport? Unusable(string? why) => why is null ? null : new TailReport(0, null, why);

    private void Recover()
    {
        if (Tail is null || _goodbye || _stopped)
        {
            return;
        }

        Volatile.Write(ref _pendingSince, 0);
        if (Tail().GetAwaiter().GetResult() is not { } file)
        {
            return;
        }

        if (TailReader.Open(file.Bytes, out string? unusable) is not { } tail)
        {
            Volatile.Write(ref _tailReport, Unusable(file.Problem ?? unusable));
            return;
        }

        // Nobody is left to be told.
        _told = long.MaxValue;
        _bytesSinceTold = long.MinValue / 2;
        Volatile.Write(ref _replayFrom, _handled);
        string? problem = file.Problem;
        try
        {
            for (Lane lane = Lane.Urgent; lane <= Lane.Bulk && !_stopped; lane++)
            {
                _bytes = tail.Continuation(lane, _taken[(int)lane].Bytes, out string unsound);
                problem = And(problem, unsound);
                problem = And(problem, TakeAll(lane));
            }
        }
        finally
        {
            Volatile.Write(ref _tailReport, new TailReport(Replayed, LostOf(tail), problem));
        }

        if (!_stopped)
        {
            // The store takes its time too: the receipt is to say that all of it is flushed.
            SettleAsync().GetAwaiter().GetResult();
        }
    }

    private long LostOf(TailReader tail)
    {
        long lost = 0;
        for (Lane lane = Lane.Urgent; lane <= Lane.Bulk; lane++)
        {
            long packets = _taken[(int)lane].Packets;
            lost += Math.Min(tail.Committed(lane, packets) - packets, long.MaxValue - lost);
        }

        return lost;
    }

    private static string? And(string? first, string? second) =>
        string.IsNullOrEmpty(second) ? first : first is null ? second : first + "; " + second;

    /// <summary>Takes the frames of a lane's window; bytes that break the rules end this, not the link, which has ended.</summary>
    private string? TakeAll(Lane lane)
    {
        var frames = new FrameReader();
        frames.Feed(_bytes, 0, _bytes.Length);
        try
        {
            while (!_stopped && frames.TryRead(out Frame frame))
            {
                if (frame.Lane != lane)
                {
                    return $"a frame of lane {(int)frame.Lane} stands in the ring of lane {(int)lane}";
                }

                Take(frame);
            }

            return frames.InsideFrame && !_stopped ? $"its ring of lane {(int)lane} ends inside a frame" : null;
        }
        catch (TransportException fault) when (fault.Fault != TransportFault.HandlerFailed)
        {
            return fault.Message;
        }
    }

    /// <summary>What has come of a lane.</summary>
    private struct Taken
    {
        /// <summary>The bytes of its whole frames.</summary>
        public long Bytes;

        public long Packets;
    }
}
