using System;
using System.Collections.Generic;

namespace Transport.Journal;

/// <summary>The packets that one link was given in one lane: which number is acknowledged if so many packets of the lane are.</summary>
/// <remarks>Not for concurrent use: under the ledger's lock. Neighbours are kept as one run, so it stays small.</remarks>
internal sealed class SentNumbers
{
    private readonly Queue<Run> _runs = new();   // all but the newest
    private Run _last;                           // the newest run, which grows; empty: everything is acknowledged
    private long _acknowledged;                  // packets of the lane

    /// <summary>Gets the number up to which packets are acknowledged; none yet: the default value.</summary>
    public SpillNumber Acknowledged { get; private set; }

    /// <summary>Gets a value indicating whether everything that the link was given is acknowledged.</summary>
    public bool IsSettled => _last.Count == 0;

    /// <summary>Adds a packet that the link has taken. Its Ack may have come before.</summary>
    /// <param name="number">Its number, above all before it.</param>
    /// <param name="ordinal">Its ordinal in the link's lane, above all before it; others may have ordinals in between.</param>
    public void Add(SpillNumber number, long ordinal)
    {
        if (ordinal <= _acknowledged)
        {
            Acknowledged = number;
        }
        else if (_last.Count > 0 && _last.Ordinal + _last.Count == ordinal && _last.Number.Plus(_last.Count) == number)
        {
            _last = _last with { Count = _last.Count + 1 };
        }
        else
        {
            if (_last.Count > 0)
            {
                _runs.Enqueue(_last);
            }

            _last = new Run(number, ordinal, 1);
        }
    }

    /// <summary>Notes that the peer has acknowledged so many packets of the lane.</summary>
    public void Acknowledge(long packets)
    {
        _acknowledged = Math.Max(_acknowledged, packets);
        while (_runs.Count > 0 && Take(_runs.Peek()).Count == 0)
        {
            _runs.Dequeue();
        }

        if (_runs.Count == 0 && _last.Count > 0)
        {
            _last = Take(_last);
        }
    }

    /// <summary>Takes what is acknowledged of a run.</summary>
    /// <returns>What is left of it.</returns>
    private Run Take(Run run)
    {
        long count = Math.Min(run.Count, _acknowledged - run.Ordinal + 1);
        if (count <= 0)
        {
            return run;
        }

        SpillNumber last = run.Number.Plus(count - 1);
        Acknowledged = last > Acknowledged ? last : Acknowledged;
        return new Run(run.Number.Plus(count), run.Ordinal + count, run.Count - count);
    }

    /// <summary>Packets whose numbers and ordinals rise by one.</summary>
    /// <param name="Number">The first one's number.</param>
    /// <param name="Ordinal">The first one's ordinal.</param>
    /// <param name="Count">How many there are.</param>
    private readonly record struct Run(SpillNumber Number, long Ordinal, long Count);
}
