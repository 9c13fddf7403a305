using System.Collections.Generic;
using System.Threading;

namespace Transport.Chaos.Soaking;

/// <summary>What happened in the whole run. Safe from any thread.</summary>
internal sealed class Tally
{
    private const int MostReported = 50;
    private readonly Lock _gate = new();
    private readonly SortedDictionary<string, long> _events = [];
    private readonly SortedDictionary<string, long> _packets = [];
    private readonly List<string> _broken = [];

    /// <summary>Gets the longest that an urgent packet was on its way, in ms: in all, and if nobody was held up on purpose.</summary>
    public (double All, double Undisturbed) WorstUrgentMs { get; private set; }

    /// <summary>Gets the promises that were broken, the first of them.</summary>
    public IReadOnlyList<string> Broken
    {
        get
        {
            lock (_gate)
            {
                return [.. _broken];
            }
        }
    }

    public void Event(string kind)
    {
        lock (_gate)
        {
            _events[kind] = _events.GetValueOrDefault(kind) + 1;
        }
    }

    public void Packets(string fate, long packets)
    {
        lock (_gate)
        {
            _packets[fate] = _packets.GetValueOrDefault(fate) + packets;
        }
    }

    public void Urgent(double allMs, double undisturbedMs)
    {
        lock (_gate)
        {
            WorstUrgentMs = (double.Max(WorstUrgentMs.All, allMs), double.Max(WorstUrgentMs.Undisturbed, undisturbedMs));
        }
    }

    public void Break(string promise)
    {
        lock (_gate)
        {
            if (_broken.Count < MostReported)
            {
                _broken.Add(promise);
            }
        }
    }

    /// <summary>Gets the rows of a table.</summary>
    public (IReadOnlyDictionary<string, long> Events, IReadOnlyDictionary<string, long> Packets) Rows()
    {
        lock (_gate)
        {
            return (new SortedDictionary<string, long>(_events), new SortedDictionary<string, long>(_packets));
        }
    }
}
