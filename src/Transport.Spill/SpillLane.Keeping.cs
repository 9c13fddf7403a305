using System;
using System.Threading;
using System.Threading.Tasks;
using Transport.Journal;

namespace Transport.Spill;

/// <content>What is acknowledged is noted in the journal, and dropped from it.</content>
internal sealed partial class SpillLane
{
    /// <summary>How many packets may be acknowledged before that is noted: a sender that is killed sends so many again, and the receiver drops them.</summary>
    private const long NoteEvery = 8192;

    private readonly object _acknowledging = new();
    private readonly Highest<SpillNumber> _noted;   // two notes may be under way, one of them while the lane closes
    private SpillNumber _acknowledged;
    private bool _isNoting;

    /// <summary>Gets the number up to which everything is acknowledged.</summary>
    public SpillNumber Acknowledgement
    {
        get
        {
            lock (_acknowledging)
            {
                return _acknowledged;
            }
        }
    }

    /// <summary>Hears how far the main node is; on a link's own thread.</summary>
    public void Acknowledge(SpillNumber number)
    {
        lock (_acknowledging)
        {
            if (number <= _acknowledged)
            {
                return;
            }

            _acknowledged = number;
            long news = number.Position - _noted.Value.Position;

            // The last: all that was sent is acknowledged, and yet something waits. It may wait for the room that this gives free.
            bool isWorthIt = news >= NoteEvery || number.IsDirect || (Volatile.Read(ref _waiting) > 0 && number.Position >= Volatile.Read(ref _sentTo));
            if (_isNoting || news <= 0 || !isWorthIt)
            {
                return;
            }

            _isNoting = true;
        }

        ThreadPool.UnsafeQueueUserWorkItem(static state => _ = ((SpillLane)state!).NoteAsync(), this);
    }

    /// <summary>Notes how far the main node is, and gives the journal free; nothing is taken any more.</summary>
    public async Task CloseAsync()
    {
        await NoteAsync().ConfigureAwait(false);
        try
        {
            await _journal.CloseAsync().ConfigureAwait(false);
        }
        catch (JournalException e)
        {
            lock (_gate)
            {
                TellFailed(e);
            }
        }
    }

    private async Task NoteAsync()
    {
        SpillNumber number = Acknowledgement;
        try
        {
            if (Volatile.Read(ref _isUnreadable))
            {
                return;
            }

            if (number > _noted.Value
                && _journal.TryAppend(_node, SpillRecords.Acknowledged, SpillRecords.Note(number), out long position) == JournalAppendResult.Queued)
            {
                _noted.Raise(number);
                await AppendAsync(position).ConfigureAwait(false);
            }

            _journal.Compact(new JournalRetention { Watermark = number.Position + 1 });
        }
        catch (JournalException e)
        {
            // That the journal has failed is told where something is to be spilled or sent from it.
            if (e.Fault != JournalFault.Closed && _journal.Failure is null)
            {
                _reports.Tell(SpillEvent.JournalFull, $"Lane {_lane}: what is acknowledged could not be dropped from the journal. {e.Message}", e);
            }
        }
        finally
        {
            lock (_acknowledging)
            {
                _isNoting = false;
            }
        }
    }

    /// <summary>A note is kept before what it lets go is taken away: so what is missing without one was taken away by somebody else. Where there is no room for it, the segments that it would let go still can.</summary>
    private async Task AppendAsync(long position)
    {
        try
        {
            await _journal.CommitAsync(position).ConfigureAwait(false);
        }
        catch (JournalException e) when (e.Fault is JournalFault.JournalFull or JournalFault.DiskFull)
        {
            // It stays queued, and is written as soon as there is room.
        }
    }
}
