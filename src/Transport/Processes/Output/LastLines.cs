using System.Collections.Generic;

namespace Transport;

/// <summary>The last 20 lines, each of at most 4,096 characters, so that a flood costs a bounded amount. Safe from any thread.</summary>
internal sealed class LastLines
{
    public const int Count = 20, LongestKept = 4096;
    private readonly object _gate = new();
    private readonly Queue<string> _lines = new();
    private bool _goesOn;

    public void Add(OutputLine line)
    {
        lock (_gate)
        {
            // A line that comes in pieces is one line: its beginning is kept.
            if (!_goesOn)
            {
                _lines.Enqueue(line.Text.Length <= LongestKept ? line.Text : line.Text.Substring(0, LongestKept) + "…");
                if (_lines.Count > Count)
                {
                    _lines.Dequeue();
                }
            }

            _goesOn = line.IsPartial;
        }
    }

    public IReadOnlyList<string> Snapshot()
    {
        lock (_gate)
        {
            return _lines.ToArray();
        }
    }
}
