using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <summary>What comes out of a lane's journal for one link: everything committed behind a position, and what is committed meanwhile. What
/// makes that impossible ends it, and is no exception.</summary>
internal sealed class SpillSource : IDisposable
{
    private const int CopyBytes = 64 << 10;

    private readonly PacketJournal _journal;
    private JournalReader? _reader;
    private bool _isLetGo;      // the reader was, at _lookedUpTo: the disk has no space
    private long _lookedUpTo;
    private JournalException? _trouble;

    public SpillSource(PacketJournal journal, long after)
    {
        _journal = journal;
        try
        {
            _reader = Open(after + 1);
        }
        catch (JournalException e)
        {
            _trouble = e;
        }
    }

    /// <summary>Gets why nothing more comes.</summary>
    public JournalException Trouble =>
        _trouble ?? _journal.Failure ?? new JournalException(
            _reader?.Condition == JournalCondition.Damaged ? JournalFault.Damaged : JournalFault.ReadFailed,
            _reader?.Ending ?? "The journal was closed.");

    /// <summary>Gets the position up to which it has looked at what is committed.</summary>
    public long LookedUpTo => _reader?.LookedUpTo ?? _lookedUpTo;

    /// <summary>Reads what is committed and was not read yet.</summary>
    public bool TryRead(out JournalRecord record)
    {
        record = default;
        try
        {
            if (_isLetGo && _journal.Committed > _lookedUpTo)
            {
                _isLetGo = false;
                _reader = Open(_lookedUpTo + 1);
            }

            return _reader is not null && TryRead(_reader, out record);
        }
        catch (JournalException e)
        {
            Dispose();
            _trouble = e;
            return false;
        }
    }

    /// <summary>What was sent before it was written may be acknowledged, and dropped, before it was read: reading goes on behind
    /// it.</summary>
    private bool TryRead(JournalReader reader, out JournalRecord record)
    {
        while (true)
        {
            try
            {
                return reader.TryRead(out record);
            }
            catch (JournalException dropped) when (dropped.Fault == JournalFault.Compacted)
            {
                Dispose();
                _reader = reader = Open(reader.Position + 1);
            }
        }
    }

    /// <summary>Copies what waits in memory because the disk has no space for it, once everything that is committed was read.</summary>
    /// <param name="after">Packets behind this position.</param>
    /// <param name="into">Takes them.</param>
    /// <returns>False: there is something else to read, or to wait for.</returns>
    public bool TryCopyWaiting(long after, List<WaitingPacket> into) =>
        (_reader is not null || _isLetGo) && _journal.TryCopyWaiting(LookedUpTo, after, CopyBytes, into);

    /// <summary>Waits until there may be more, once everything that is committed was read. On a full disk the reader lets go of its file
    /// meanwhile: if that is dropped, its space is free only when nobody has it open.</summary>
    /// <returns>False if nothing more will come.</returns>
    public async ValueTask<bool> WaitAsync(CancellationToken cancellation)
    {
        try
        {
            if (_journal.Obstacle is not null && _reader is { Condition: not JournalCondition.Damaged } reader)
            {
                (_lookedUpTo, _isLetGo) = (reader.LookedUpTo, true);
                Dispose();
            }

            return _isLetGo ? await ProgressAsync(cancellation).ConfigureAwait(false)
                : _reader is not null && await _reader.WaitAsync(cancellation).ConfigureAwait(false);
        }
        catch (JournalException e)
        {
            _trouble = e;
            return false;
        }
    }

    public void Dispose()
    {
        _reader?.Dispose();
        _reader = null;
    }

    private async Task<bool> ProgressAsync(CancellationToken cancellation)
    {
        bool isOver = _journal.IsOver;
        _ = await Delay.InTimeAsync(_journal.ProgressAsync(_lookedUpTo), TimeProvider.System, Timeout.InfiniteTimeSpan, cancellation)
            .ConfigureAwait(false);
        cancellation.ThrowIfCancellationRequested();
        return !isOver || _journal.Committed > _lookedUpTo;
    }

    private JournalReader Open(long from)
    {
        while (true)
        {
            try
            {
                return _journal.OpenReader(new JournalReaderOptions { From = from, Follow = true });
            }
            catch (JournalException e) when (e.Fault == JournalFault.Compacted && e.OldestPosition > from)
            {
                // What was dropped was acknowledged; positions jump behind it if the journal was not closed.
                // What the journal has not dropped was taken away.
                if (_journal.Oldest is { } oldest && e.OldestPosition > oldest.FirstPosition)
                {
                    throw new JournalException(
                        JournalFault.Damaged,
                        FormattableString.Invariant(
                            $"The journal in {_journal.Directory} begins at position {oldest.FirstPosition}, ")
                            + FormattableString.Invariant($"and its files now begin at {e.OldestPosition}: ")
                            + "somebody has taken the oldest ones away.");
                }

                from = e.OldestPosition;   // more may be dropped meanwhile
            }
        }
    }
}
