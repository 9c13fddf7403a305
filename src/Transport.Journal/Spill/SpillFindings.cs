using System;
using System.Collections.Generic;
using System.Linq;

namespace Transport.Journal;

/// <summary>What earlier openings of a journal left. Filled in the order of positions, then settled.</summary>
internal sealed class SpillFindings
{
    private readonly SortedDictionary<SpillNumber, byte[]> _saved = new();
    private readonly List<(long First, long Last)> _spilled = [];   // runs of positions: there may be millions

    /// <summary>Gets the number up to which everything is known to be acknowledged.</summary>
    public SpillNumber Acknowledged { get; private set; }

    /// <summary>Gets the position of the last packet that was spilled, 0 without one.</summary>
    public long LastSpilled => _spilled.Count > 0 ? _spilled[_spilled.Count - 1].Last : 0;

    /// <summary>Gets the highest number of what had been sent directly and was kept.</summary>
    public SpillNumber LastSaved { get; private set; }

    /// <summary>Gets the highest number that any opening is known to have given out.</summary>
    public SpillNumber Last
    {
        get
        {
            SpillNumber last = SpillNumber.At(LastSpilled) > LastSaved ? SpillNumber.At(LastSpilled) : LastSaved;
            return last > Acknowledged ? last : Acknowledged;
        }
    }

    /// <summary>Gets how many packets that were spilled may not be acknowledged.</summary>
    public long Spilled => _spilled.Sum(run => Math.Max(0, run.Last - Math.Max(run.First - 1, Acknowledged.Position)));

    /// <summary>Gets how many packets may not be acknowledged.</summary>
    public long Count => Spilled + Saved.Count;

    /// <summary>Gets what had been sent directly and may not be acknowledged, as it had travelled, in the order of its numbers.</summary>
    public Queue<SavedPacket> Saved { get; } = new();

    /// <summary>A packet was spilled.</summary>
    public void Spill(long position)
    {
        int last = _spilled.Count - 1;
        if (last >= 0 && _spilled[last].Last == position - 1)
        {
            _spilled[last] = (_spilled[last].First, position);
        }
        else
        {
            _spilled.Add((position, position));
        }
    }

    /// <summary>It was noted that everything up to a number is acknowledged.</summary>
    public void Acknowledge(SpillNumber number)
    {
        Acknowledged = number > Acknowledged ? number : Acknowledged;
        while (_saved.Count > 0 && _saved.First().Key is var first && first <= Acknowledged)
        {
            _saved.Remove(first);
        }
    }

    /// <summary>A packet that had been sent directly was kept.</summary>
    public void Save(byte[] packet)
    {
        SpillNumber number = SpillPacket.NumberOf(packet);
        LastSaved = number > LastSaved ? number : LastSaved;
        _saved[number] = packet;
    }

    /// <summary>Everything has been read.</summary>
    public void Settle()
    {
        foreach (KeyValuePair<SpillNumber, byte[]> one in _saved)
        {
            if (one.Key > Acknowledged)
            {
                Saved.Enqueue(new SavedPacket(one.Key, one.Value));
            }
        }

        _saved.Clear();
    }
}
