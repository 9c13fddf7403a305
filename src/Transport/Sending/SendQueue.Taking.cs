using System.Threading;

namespace Transport;

/// <content>The send loop's side: what is to be written next, and what becomes of it.</content>
internal sealed partial class SendQueue
{
    /// <summary>Takes what is to be written next: the highest lane that has anything. The send loop only.</summary>
    /// <returns>A segment that the caller owns until <see cref="Written"/> or <see cref="GiveUp"/>; null if nothing waits.</returns>
    public Segment? Take()
    {
        if (_state == SendState.Broken)
        {
            Discard();
        }
        else
        {
            ComposeLeftOut();
            foreach (LaneQueue lane in _lanes)
            {
                if (lane.Take() is { } segment)
                {
                    return segment;
                }
            }
        }

        if (!_goodbyeDue)
        {
            return null;
        }

        // The queue is closed, so a lane that is found empty stays empty. Not under the control lane's lock: a formatter may take its time,
        // and Abort, Ack and the heartbeat need that lock meanwhile.
        for (int i = 1; i < _lanes.Length; i++)
        {
            if (!_lanes[i].TryTake(out Segment? late) || late is not null)
            {
                return late;
            }
        }

        lock (_lanes[0].Gate)
        {
            if (_goodbyeDue)
            {
                ComposeGoodbye();
            }
        }

        return _lanes[0].Take();
    }

    /// <summary>Says whether <see cref="Take"/> would give anything, or has something to compose, or found a formatter at work. The send
    /// loop only.</summary>
    public bool HasWork()
    {
        if (_goodbyeDue || (_isControlDue && _state != SendState.Broken))
        {
            return true;
        }

        foreach (LaneQueue lane in _lanes)
        {
            if (lane.HasWork())
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Counts a written segment and returns it to the pool. No other place returns a written segment.</summary>
    public void Written(Segment segment, long ticks)
    {
        _counters.Wrote(segment.Used, segment.PacketsEnding, ticks);
        Volatile.Write(ref _packetsWritten, _packetsWritten + segment.PacketsEnding);
        _lanes[segment.Lane].Observer?.Written(segment.PacketsEnding);
        LaneWritten?.Invoke((Lane)segment.Lane, segment.PacketsEnding);
        if (ReferenceEquals(segment, _answerSegment))
        {
            _answerWritten = true;
        }

        if (ReferenceEquals(segment, _goodbyeSegment))
        {
            _goodbyeWritten = true;
        }

        Release(segment);
    }

    /// <summary>The segment's write has failed: its packets count as dropped.</summary>
    public void GiveUp(Segment segment)
    {
        Drop(_lanes[segment.Lane], segment);
        Release(segment);
    }

    private void Discard()
    {
        for (int i = 0; i < _lanes.Length; i++)
        {
            LaneQueue lane = _lanes[i];
            while (lane.TryTake(out Segment? segment, Timeout.Infinite) && segment is not null)
            {
                if (i == 0 && ReferenceEquals(segment, _goodbyeSegment))
                {
                    _goodbyeSegment = null;
                }

                GiveUp(segment);
            }

            lock (lane.Gate)
            {
                lane.Discard();
            }
        }
    }

    private void Drop(LaneQueue lane, Segment segment)
    {
        if (segment.PacketsEnding > 0)
        {
            lock (lane.Gate)
            {
                lane.Drops.Add(PacketLevel.None, segment.Used, segment.PacketsEnding);
            }
        }
    }

    private void Release(Segment segment)
    {
        int bytes = segment.Used;
        int lane = segment.Lane;
        _pool.Return(segment);
        if (lane == (int)Lane.Control)
        {
            lock (_lanes[0].Gate)
            {
                _controlBytes -= bytes;
            }
        }
        else
        {
            _budget.GiveFrom((Lane)lane, bytes);
            Room.Serve();
        }
    }
}
