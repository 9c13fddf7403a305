using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Journal;

/// <content>Where a chain of records ends: a segment's end, the journal's, damage, or just now.</content>
public sealed partial class JournalReader
{
    /// <summary>For a reader that follows: waits until <see cref="TryRead"/> may find more.</summary>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>
    /// False if there will be no more: the writer has closed the journal, or has exited, or the journal is damaged
    /// (<see cref="Condition"/>). True otherwise, now and then too often.
    /// </returns>
    /// <exception cref="OperationCanceledException"><paramref name="cancellationToken"/>.</exception>
    /// <exception cref="JournalException">
    /// As with <see cref="TryRead"/>; <see cref="JournalFault.NotAJournal"/>: the directory has gone.
    /// </exception>
    /// <exception cref="InvalidOperationException">The reader does not follow.</exception>
    public async ValueTask<bool> WaitAsync(CancellationToken cancellationToken = default)
    {
        if (!_options.Follow)
        {
            throw new InvalidOperationException($"Only a reader with {nameof(JournalReaderOptions.Follow)} waits for more.");
        }

        cancellationToken.ThrowIfCancellationRequested();
        if (_isOver || _isDisposed)
        {
            return false;
        }

        if (_engine is not null)
        {
            bool isOver = _engine.IsOver;
            await UnlessAsync(_engine.ProgressAsync(_lookedUpTo), cancellationToken).ConfigureAwait(false);
            Condition = isOver && _engine.Failure is null ? JournalCondition.Closed : Condition;
            return !isOver || _engine.Committed > _lookedUpTo;
        }

        if (_cursor.Walk is { IsClosed: true } && _watch.IsWriterGone())
        {
            Condition = JournalCondition.Closed;
            return false;
        }

        using var pause = new Delay(_options.TimeProvider, _options.PollInterval);
        await UnlessAsync(pause.Task, cancellationToken).ConfigureAwait(false);
        return LookAgain();
    }

    private async Task UnlessAsync(Task task, CancellationToken cancellationToken)
    {
        // What nothing ends needs no timer.
        await (cancellationToken.CanBeCanceled
            ? Delay.InTimeAsync(task, _options.TimeProvider, Timeout.InfiniteTimeSpan, cancellationToken) : task).ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
    }

    /// <summary>Counts how long nothing has come; after a while looks whether anybody writes.</summary>
    private bool LookAgain()
    {
        long at = _cursor.Scanner is { } scanner ? (scanner.Segment.Sequence << 32) + scanner.Offset : -1;
        if (!_watch.IsQuiet(at))
        {
            return true;
        }

        if (_limit.IsWriterGone)
        {
            _isOver = true;
            return false;
        }

        // What is valid counts once nobody writes any more; one more look shows it.
        _limit.IsWriterGone = _watch.IsWriterGone();
        return true;
    }

    /// <summary>The chain has ended: whether there is a way on.</summary>
    private bool GoOn(SegmentWalk walk)
    {
        RecordScanner scanner = walk.Scanner;
        if (scanner.HasCome())
        {
            return true;
        }

        // If the next segment is there, all of this one is: what was not a moment ago has come before it.
        _cursor.LookForSuccessor();
        if (walk.IsPassed || (walk.Successor is not null && scanner.HasCome()))
        {
            return true;
        }

        if (!_cursor.IsStillThere())
        {
            if (_shown == 0 && _options.From == 0 && _cursor.List().Count > 0)
            {
                return EnterFirst();
            }

            throw Overtaken();
        }

        if (_options.Follow && walk.Successor is null && scanner.Position >= _inFiles
            && !(_limit.IsWriterGone && _cursor.IsFollowed(scanner.Segment)))
        {
            return ReportEnd(walk.IsClosed ? JournalCondition.Closed : JournalCondition.NotClosed, null);
        }

        return JudgeEnd(walk);
    }

    private bool JudgeEnd(SegmentWalk walk)
    {
        RecordScanner scanner = walk.Scanner;
        TailSearch tail = TailSearch.Behind(_cursor.File, scanner);
        long later = _cursor.NextSequence(scanner.Segment, out bool isLast);
        string? whyNot = isLast || walk.Successor is not null ? null
            : _cursor.WhyNot(scanner.Segment.Sequence + 1, scanner.Segment.Journal);
        (JournalCondition condition, string? message) = walk.Judge(tail, Math.Max(_synced, tail.Synced), isLast, whyNot);
        if (condition != JournalCondition.Damaged && scanner.Position < _inFiles)
        {
            (condition, message) = (JournalCondition.Damaged, TailVerdict.Gone(walk.Name, scanner, _inFiles));
        }

        // A live journal has gone on since its end was looked at; damage stays.
        if (condition == JournalCondition.Damaged && (scanner.HasCome() || SuccessorHasCome(walk)))
        {
            return true;
        }

        if (condition != JournalCondition.Damaged)
        {
            return ReportEnd(condition, message);
        }

        if (!_cursor.IsStillThere())
        {
            throw Overtaken();   // since it was asked last: what follows has gone too, and is no damage
        }

        Damage(message);
        if (!_options.PastDamage || _options.Follow)
        {
            _isOver = true;
            return false;
        }

        if (tail.ResumeAt > 0 && scanner.TryHeader(tail.ResumeAt, out RecordHeader record))
        {
            scanner.JumpTo(tail.ResumeAt, record);
            return true;
        }

        return later != 0 && Enter(later) ? true : ReportEnd(JournalCondition.Damaged, null);
    }

    private bool SuccessorHasCome(SegmentWalk walk)
    {
        _cursor.LookForSuccessor();
        return walk.IsPassed;
    }

    private void Damage(string? message)
    {
        Condition = JournalCondition.Damaged;
        Ending ??= message;
    }

    /// <summary>Nothing more, for now or for good. What was damaged stays that.</summary>
    private bool ReportEnd(JournalCondition condition, string? message)
    {
        _isOver |= !_options.Follow || (condition == JournalCondition.Damaged && !_options.PastDamage);   // no progress would change damage
        if (Condition != JournalCondition.Damaged)
        {
            Condition = condition;
            Ending = message;
        }

        return false;
    }
}
