using System;
using System.Collections.Generic;

namespace Transport;

/// <summary>Turns the wire's one count of acknowledged packets into a count per lane.</summary>
/// <remarks>
/// <para>An Ack counts the packets of lanes 1 to 3 in the order in which they were written, so the order of the writes says which lane each
/// of them belongs to. The send thread notes each write, the receive thread each Ack. Either may come first: the peer can acknowledge
/// a write before the send thread has noted it.</para>
/// <para>Threads: one lock. Reports are made while it is held, so that they come in rising order, whichever thread makes them. The
/// subscriber must not wait, and must not call back. Until somebody subscribes, nothing is noted.</para>
/// </remarks>
internal sealed class LaneAcknowledgments
{
    private readonly object _lock = new();
    private volatile Action<Lane, long>? _report;   // set once, before the link's first packet: who does not see it has nothing to note
    private readonly Queue<Run> _runs = new();   // earlier runs that are not acknowledged to their end
    private readonly long[] _perLane = new long[(int)Lane.Bulk + 1];
    private Lane _lane;                          // of the newest run, which grows and ends at _written
    private long _written;
    private long _acknowledged;                  // the highest count of any Ack
    private long _assigned;                      // of these, the packets whose lane was found and reported

    /// <summary>Reports from now on.</summary>
    /// <param name="report">Gets a lane and how many of its packets are acknowledged: a rising number for each lane.</param>
    public void Subscribe(Action<Lane, long> report) => _report = report;

    /// <summary>Notes a write. On the send thread, after each whole write.</summary>
    /// <param name="lane">The lane of all its packets.</param>
    /// <param name="packets">How many packets ended in it, packets of the tables included.</param>
    public void Written(Lane lane, int packets)
    {
        if (packets == 0 || _report is null)
        {
            return;
        }

        lock (_lock)
        {
            if (lane != _lane && _written > _assigned)
            {
                _runs.Enqueue(new Run(_lane, _written));
            }

            _lane = lane;
            _written += packets;
            Assign();
        }
    }

    /// <summary>Notes an Ack. On the receive thread.</summary>
    /// <param name="packets">How many packets of lanes 1 to 3 the peer has handled. A number that is not news changes nothing.</param>
    public void Acknowledged(long packets)
    {
        if (_report is null)
        {
            return;
        }

        lock (_lock)
        {
            _acknowledged = Math.Max(_acknowledged, packets);
            Assign();
        }
    }

    /// <summary>Finds the lanes of what is acknowledged and written. A write that is noted later is found then.</summary>
    private void Assign()
    {
        while (_assigned < Math.Min(_acknowledged, _written))
        {
            Run run = _runs.Count > 0 ? _runs.Peek() : new Run(_lane, _written);
            long upTo = Math.Min(_acknowledged, run.End);
            long packets = _perLane[(int)run.Lane] += upTo - _assigned;
            _assigned = upTo;
            if (upTo == run.End && _runs.Count > 0)
            {
                _runs.Dequeue();
            }

            _report!(run.Lane, packets);
        }
    }

    /// <summary>Packets of one lane, written one after the other.</summary>
    /// <param name="Lane">The lane.</param>
    /// <param name="End">The link's count of written packets at the run's end.</param>
    private readonly record struct Run(Lane Lane, long End);
}
