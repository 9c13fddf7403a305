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

    private static readonly TimeSpan s_untilDescriptors = TimeSpan.FromMilliseconds(100);

    private readonly PacketJournal _journal;
    private JournalReader? _reader;
    private bool _isLetGo;      // the reader was, at _lookedUpTo
    private bool _isShort;      // and there was no descriptor for another
    private long _lookedUpTo;
    private long _from;         // where the reader was opened
    private JournalException? _trouble;

    public SpillSource(PacketJournal journal, long after)
    {
        _journal = journal;
        try
        {
            _reader = Open(after + 1);
        }
        catch (JournalException e) when (e.Fault == JournalFault.TooFewDescriptors)
        {
            (_lookedUpTo, _isLetGo, _isShort) = (after, true, true);   // that passes
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
                _reader = Open(_lookedUpTo + 1);
                (_isLetGo, _isShort) = (false, false);
            }

            return _reader is not null && ReadOn(_reader, out record);
        }
        catch (JournalException e) when (e.Fault == JournalFault.TooFewDescriptors)
        {
            LetGo(Shown);   // that passes
            _isShort = true;
            return false;
        }
        catch (JournalException e)
        {
            Dispose();
            _isLetGo = false;
            _trouble = e;
            return false;
        }
    }

    /// <summary>What was sent before it was written may be acknowledged, and dropped, before it was read: reading goes on behind
    /// it.</summary>
    private bool ReadOn(JournalReader reader, out JournalRecord record)
    {
        while (true)
        {
            try
            {
                return reader.TryRead(out record);
            }
            catch (JournalException dropped) when (dropped.Fault == JournalFault.Compacted)
            {
                LetGo(Shown);
                _reader = reader = Open(_lookedUpTo + 1);
                _isLetGo = false;
            }
        }
    }

    /// <summary>Copies what waits in memory because the disk has no space for it, once everything that is committed was read.</summary>
    /// <param name="after">Packets behind this position.</param>
    /// <param name="into">Takes them.</param>
    /// <returns>False: there is something else to read, or to wait for.</returns>
    public bool TryCopyWaiting(long after, List<WaitingPacket> into) =>
        (_reader is not null || _isLetGo) && _journal.TryCopyWaiting(LookedUpTo, after, CopyBytes, into);

    /// <summary>Lets go of the file, once everything that is committed was read: if it is dropped, its space is free only when nobody has
    /// it open. The next <see cref="TryRead"/> that may find something opens what it needs.</summary>
    public void LetGo()
    {
        if (_reader is { Condition: not JournalCondition.Damaged } reader)
        {
            LetGo(reader.LookedUpTo);
        }
    }

    /// <summary>Waits until there may be more, once everything that is committed was read. On a full disk the file is let go
    /// meanwhile.</summary>
    /// <returns>False if nothing more will come.</returns>
    public async ValueTask<bool> WaitAsync(CancellationToken cancellation)
    {
        try
        {
            if (_journal.Obstacle?.Fault == JournalFault.DiskFull)
            {
                LetGo();
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
        Task progress = _isShort ? Task.Delay(s_untilDescriptors, cancellation) : _journal.ProgressAsync(_lookedUpTo);
        _ = await Delay.InTimeAsync(progress, TimeProvider.System, Timeout.InfiniteTimeSpan, cancellation).ConfigureAwait(false);
        cancellation.ThrowIfCancellationRequested();
        return !isOver || _journal.Committed > _lookedUpTo;
    }

    /// <summary>Gets the position up to which the reader has shown everything.</summary>
    private long Shown => _reader is null ? _lookedUpTo : Math.Max(_reader.Position, _from - 1);

    private void LetGo(long at)
    {
        (_lookedUpTo, _isLetGo) = (at, true);
        Dispose();
    }

    private JournalReader Open(long from)
    {
        while (true)
        {
            try
            {
                _from = from;
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
