using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <summary>The journal of a lane that spills: appends, notes what is acknowledged and drops it, and reports what is wrong with
/// it.</summary>
/// <remarks>Safe from any thread but for what says otherwise. Its lock is held for a few steps only; neither the journal nor anybody else
/// is called meanwhile.</remarks>
internal sealed class SpillJournal
{
    /// <summary>How many packets may be acknowledged before that is noted: a sender that is killed sends so many again, and the receiver
    /// drops them.</summary>
    private const long NoteEvery = 8192;

    private const int SaveBatch = 64;

    private readonly object _lock = new();
    private readonly Lane _lane;
    private readonly JournalNode _node;
    private readonly SpillReports _reports;
    private readonly SpillLedger _ledger;
    private readonly (SpillNumber Number, long Position) _found;   // last in the files, if this opening is not noted there; else none
    private SpillNumber _noted;      // two notes may be under way, one of them while a link ends or the lane closes
    private long _notedAt;           // the position of that note; 0: an earlier opening made it
    private SpillNumber _savedTo;    // up to here what was sent directly is in the journal too; one link's end after the other
    private Condition _condition;
    private bool _isNoting;
    private bool _isFullReported;    // under the lane's gate

    public SpillJournal(
        Lane lane, PacketJournal journal, JournalNode node, SpillReports reports, SpillLedger ledger, SpillFindings findings)
    {
        (_lane, Packets, _node, _reports, _ledger) = (lane, journal, node, reports, ledger);
        _noted = findings.Acknowledged;
        _savedTo = findings.LastSaved;
        long inFiles = Packets.InFiles;   // before it is asked whether this opening is among them
        _found = Packets.MayRepeatPositions ? (findings.Last, inFiles) : default;
        ReportFindings(findings);
    }

    /// <summary>What the journal still does.</summary>
    private enum Condition
    {
        /// <summary>Everything.</summary>
        Works = 0,

        /// <summary>It takes nothing more; what it has can be read.</summary>
        Failed = 1,

        /// <summary>It cannot be read. What is in there stays there: nothing is noted as acknowledged any more, nor dropped.</summary>
        Unreadable = 2,
    }

    /// <summary>Gets the journal itself.</summary>
    public PacketJournal Packets { get; }

    /// <summary>Gets where it is, for reports.</summary>
    public string Directory => Packets.Directory;

    /// <summary>Appends a packet. Under the lane's gate.</summary>
    /// <param name="type">The packet's type.</param>
    /// <param name="body">The packet's body.</param>
    /// <param name="position">Its position.</param>
    /// <returns>False: the journal takes nothing. A report says why.</returns>
    public bool TryAppend(ushort type, ReadOnlySpan<byte> body, out long position)
    {
        position = 0;
        if (!Is(Condition.Works))
        {
            return false;
        }

        switch (Packets.TryAppend(_node, type, body, out position))
        {
            case SendResult.Queued:
                _isFullReported = false;
                return true;
            case SendResult.Closed:
                ReportFailed(Packets.Failure);
                return false;
            default:
                if (!_isFullReported)
                {
                    _isFullReported = true;
                    _ = ReportFullAsync();
                }

                return false;
        }
    }

    /// <summary>Queues a record if the opening itself found no space: it is tried again and again, and goes with that one.</summary>
    public void BeginIfUnnoted()
    {
        if (Packets.MayRepeatPositions)
        {
            _ = Packets.Compact(Behind(_noted));
            _ = Packets.TryAppend(_node, SpillRecords.Acknowledged, SpillRecords.Note(_noted), out _);
        }
    }

    /// <summary>Notes what is acknowledged if that is worth a record, on the pool.</summary>
    public void Consider(SpillProgress progress)
    {
        if (!progress.IsNews)
        {
            return;
        }

        // If everything that was sent is acknowledged and yet something waits to be committed, it may wait for the capacity that a note
        // frees.
        bool waits = progress.IsSettled && Packets.Appended > Packets.Committed;
        lock (_lock)
        {
            long news = progress.Number.Position - _noted.Position;
            if (_isNoting || news <= 0 || !(news >= NoteEvery || progress.Number.IsDirect || waits))
            {
                return;
            }

            _isNoting = true;
        }

        ThreadPool.UnsafeQueueUserWorkItem(static state => _ = ((SpillJournal)state!).NoteInTurnAsync(), this);
    }

    /// <summary>Puts packets that are in memory into the journal too, but those that are there already. One call at a time.</summary>
    /// <param name="packets">The packets.</param>
    /// <param name="isLast">Whether the sender closes: what cannot be put there is lost.</param>
    public async Task SaveAsync(List<SavedPacket> packets, bool isLast)
    {
        var batch = new List<JournalPacket>(SaveBatch);
        SpillNumber last = _savedTo;
        int left = packets.Count;
        try
        {
            foreach (SavedPacket packet in packets)
            {
                left--;
                if (packet.Number > last)
                {
                    batch.Add(new JournalPacket(_node, SpillRecords.Saved, packet.Packet));
                    last = packet.Number;
                }

                if (batch.Count == SaveBatch || (left == 0 && batch.Count > 0))
                {
                    // What is refused would stay in the queue as a gap.
                    if (Packets.Obstacle is { } obstacle)
                    {
                        throw obstacle.Again();
                    }

                    await Packets.AppendAsync(batch.ToArray()).ConfigureAwait(false);
                    _savedTo = last;
                    batch.Clear();
                }
            }
        }
        catch (JournalException e)
        {
            _reports.Report(
                SpillEvent.JournalFull,
                $"Lane {_lane}: {left + batch.Count} packets of the link that ended could not be put into the journal. "
                    + (isLast ? "They are not acknowledged, and lost with this sender. "
                        : "They are in memory, and are sent when there is a link; if this process ends before, they are lost. ")
                    + e.Message,
                e,
                left + batch.Count);
        }
    }

    /// <summary>Closes the journal.</summary>
    /// <returns>Why it could not be closed; null: it was.</returns>
    public async Task<JournalException?> CloseAsync()
    {
        try
        {
            await Packets.CloseAsync().ConfigureAwait(false);
            return null;
        }
        catch (JournalException e)
        {
            return e;
        }
    }

    /// <summary>The journal takes nothing more.</summary>
    /// <param name="why">Why.</param>
    public void ReportFailed(JournalException? why)
    {
        if (TryLeave(Condition.Failed))
        {
            // What a link was given and has not acknowledged is lost, too, if that link ends.
            long lost = Math.Max(0, Packets.Appended - Math.Max(Packets.Committed, _ledger.Acknowledged.Position));
            _reports.Report(
                SpillEvent.JournalFailed,
                $"Lane {_lane}: the journal in {Directory} takes nothing more, and up to {lost} packets that it had not acknowledged are "
                    + $"lost. What finds no capacity is answered Full from now on. {why?.Message}",
                why ?? new JournalException(JournalFault.Closed, "The journal is closed."),
                lost);
        }
    }

    /// <summary>The journal takes what it is given, and cannot be read.</summary>
    /// <param name="why">Why.</param>
    /// <param name="unsent">The packets in it that are not sent.</param>
    public void ReportUnreadable(JournalException why, long unsent)
    {
        if (TryLeave(Condition.Unreadable))
        {
            _reports.Report(
                SpillEvent.JournalFailed,
                $"Lane {_lane}: the journal in {Directory} cannot be read, and up to {unsent} packets in it are not sent. They stay there: "
                    + "close this sender, look at the disk, and read them with a JournalReader (PastDamage). "
                    + $"What finds no capacity is answered Full from now on. {why.Message}",
                why,
                unsent);
        }
    }

    /// <summary>Gets a value indicating whether nothing new gets a number: the journal is over, and its next opening may give out the
    /// same.</summary>
    public bool IsWithoutNumbers => Packets.MayRepeatPositions && !Is(Condition.Works);

    private bool Is(Condition condition)
    {
        lock (_lock)
        {
            return _condition == condition;
        }
    }

    /// <summary>Leaves the condition in which the journal works, once.</summary>
    private bool TryLeave(Condition condition)
    {
        lock (_lock)
        {
            bool worked = _condition == Condition.Works;
            _condition = worked ? condition : _condition;
            return worked;
        }
    }

    /// <summary>Notes what is acknowledged, and drops it from the journal.</summary>
    public async Task NoteAsync()
    {
        SpillNumber number = _ledger.Acknowledged;
        try
        {
            if (Is(Condition.Unreadable))
            {
                return;
            }

            bool isDurable = await TryNoteAsync(number).ConfigureAwait(false);
            Packets.Compact(Behind(number));
            if (!isDurable)
            {
                // There was no capacity for the note, and now there may be: first for what waits before it.
                _ = await TryCommitAsync(Packets.Appended).ConfigureAwait(false);
                _ = await TryNoteAsync(number).ConfigureAwait(false);
            }
        }
        catch (JournalException e)
        {
            // A failed journal is reported when something is to be spilled or sent from it.
            if (e.Fault != JournalFault.Closed && Packets.Failure is null)
            {
                string message = $"Lane {_lane}: what is acknowledged could not be dropped from the journal. {e.Message}";
                _reports.Report(SpillEvent.JournalFull, message, e);
            }
        }
    }

    /// <summary>What is to be kept once everything up to a number is acknowledged. With the last packet that was found, the records behind it
    /// go too: a gap, a note.</summary>
    private JournalRetention Behind(SpillNumber acknowledged) => new()
    {
        Watermark = Math.Max(acknowledged.Position, acknowledged >= _found.Number ? _found.Position : 0) + 1,
    };

    private async Task NoteInTurnAsync()
    {
        SpillNumber before = _ledger.Acknowledged;
        try
        {
            await NoteAsync().ConfigureAwait(false);
        }
        finally
        {
            lock (_lock)
            {
                _isNoting = false;
            }
        }

        // The last Ack may have come meanwhile, and found that somebody was noting.
        SpillProgress progress = _ledger.Progress;
        if (progress.Number > before)
        {
            Consider(progress);
        }
    }

    /// <summary>Makes a note durable, so that what is missing without one was taken away by somebody else.</summary>
    /// <returns>False if there is no capacity for it.</returns>
    private async Task<bool> TryNoteAsync(SpillNumber number)
    {
        long position;
        lock (_lock)
        {
            position = number > _noted ? -1 : _notedAt;
        }

        if (position < 0)
        {
            if (Packets.TryAppend(_node, SpillRecords.Acknowledged, SpillRecords.Note(number), out position) != SendResult.Queued)
            {
                return false;
            }

            RaiseNoted(number, position);
        }

        return position == 0 || await TryCommitAsync(position).ConfigureAwait(false);
    }

    private void RaiseNoted(SpillNumber number, long position)
    {
        lock (_lock)
        {
            if (number > _noted)
            {
                (_noted, _notedAt) = (number, position);
            }
        }
    }

    /// <summary>Waits until a position is committed; false if there is no capacity. It stays queued then, and is written as soon as there
    /// is.</summary>
    private async Task<bool> TryCommitAsync(long position)
    {
        try
        {
            await Packets.CommitAsync(position).ConfigureAwait(false);
            return true;
        }
        catch (JournalException e) when (e.Fault is JournalFault.JournalFull or JournalFault.DiskFull)
        {
            return false;
        }
    }

    /// <summary>Finds out why the journal takes nothing. If it only was not as fast as what was spilled, there is nothing to
    /// report.</summary>
    private async Task ReportFullAsync()
    {
        try
        {
            await Task.Yield();
            await Packets.CommitAsync(Packets.Appended).ConfigureAwait(false);
        }
        catch (JournalException full)
        {
            if (Packets.Failure is null)
            {
                _reports.Report(SpillEvent.JournalFull, $"Lane {_lane}: what finds no capacity is answered Full. {full.Message}", full);

                // If everything in it is acknowledged, no Ack comes that would empty it.
                await NoteAsync().ConfigureAwait(false);
            }
        }
        catch (Exception e)
        {
            // Nobody awaits this.
            _reports.Report(
                SpillEvent.JournalFull, $"Lane {_lane}: why the journal takes nothing is not known: {ExceptionText.MessageOf(e)}",
                cause: e);
        }
    }

    /// <summary>Reports what earlier openings left: nothing that they had taken is missing without a word.</summary>
    private void ReportFindings(SpillFindings findings)
    {
        JournalRecovery recovery = Packets.Recovery;
        if (recovery.SetAside is { } aside)
        {
            long left = SpillRecords.CountValid(aside);
            ReportDamaged(
                $"{recovery.Line} Of what can still be read there, {left} packets are not known to be acknowledged; they are not sent. "
                    + $"Read them with a JournalReader (PastDamage) of {aside}.",
                left);
            return;
        }

        if (recovery.IsShortened)
        {
            ReportDamaged($"{recovery.Line} How many packets stood there is not known; the rest is sent.", 0);
        }
        else if (recovery.Line is { } line)
        {
            _reports.Report(
                SpillEvent.JournalRepaired,
                $"Lane {_lane}: {line} What is in it and not acknowledged is sent, {findings.Count} packets; "
                    + "what the earlier sender had in memory alone is lost.",
                packets: findings.Count);
        }

        // Where the journal itself does not know, a note does: what is dropped was noted as acknowledged before, if there was space for it.
        long first = Packets.Oldest?.FirstPosition ?? 1;
        long missing = first - 1 - findings.Acknowledged.Position;
        if (!Packets.IsWholeInFront && missing > 0)
        {
            ReportDamaged(
                $"The journal in {Directory} begins at position {first}, and notes as acknowledged what is up to "
                    + $"{findings.Acknowledged.Position}: its oldest files were taken away, with up to {missing} packets that may never "
                    + "have arrived. The rest is sent. "
                    + "If there is a copy of those files, read it with a JournalReader.",
                missing);
        }
    }

    private void ReportDamaged(string message, long packets) => _reports.Report(
        SpillEvent.JournalDamaged, $"Lane {_lane}: {message}", new JournalException(JournalFault.Damaged, message), packets);
}
