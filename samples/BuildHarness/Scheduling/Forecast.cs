using System;
using System.Collections.Generic;
using System.Linq;

namespace BuildHarness.Scheduling;

/// <summary>
/// What project files say of their references, as a hint: which projects will probably wait if they are begun now, and for which the most
/// others will. Only MSBuild knows what is wanted in the end; a hint that is wrong or missing costs time and nothing else. Of the
/// <see cref="Schedule"/>'s thread.
/// </summary>
/// <param name="read">Returns the full paths of the projects that a project file names as references.</param>
internal sealed class Forecast(Func<string, IReadOnlyList<string>> read)
{
    private readonly Dictionary<string, IReadOnlyList<string>> _references = new(StringComparer.Ordinal);
    private readonly Dictionary<string, int> _open = new(StringComparer.Ordinal);
    private readonly Dictionary<string, int> _heights = new(StringComparer.Ordinal);

    /// <summary>Notes that a project is to be built.</summary>
    public void Begin(string path)
    {
        if (!_references.ContainsKey(path))
        {
            _references.Add(path, [.. read(path).Where(one => one != path).Distinct(StringComparer.Ordinal)]);
            _heights.Clear();
        }

        _open[path] = _open.GetValueOrDefault(path) + 1;
    }

    /// <summary>Notes that it was built, as often as <see cref="Begin"/>.</summary>
    public void End(string path) => _open[path]--;

    /// <summary>Whether none of its references is still to be built.</summary>
    public bool IsReady(string path) =>
        !_references.TryGetValue(path, out IReadOnlyList<string>? wanted) || !wanted.Any(one => _open.GetValueOrDefault(one) > 0);

    /// <summary>Returns how long the longest chain of projects is that wait for it.</summary>
    public int HeightOf(string path)
    {
        if (_heights.Count == 0)
        {
            Measure();
        }

        return _heights.GetValueOrDefault(path);
    }

    /// <summary>From those that nobody refers to downwards. What is in a circle has no height.</summary>
    private void Measure()
    {
        var dependents = new Dictionary<string, int>(StringComparer.Ordinal);
        foreach (string one in _references.Values.SelectMany(wanted => wanted).Where(_references.ContainsKey))
        {
            dependents[one] = dependents.GetValueOrDefault(one) + 1;
        }

        var next = new Queue<string>(_references.Keys.Where(path => !dependents.ContainsKey(path)));
        while (next.TryDequeue(out string? path))
        {
            _heights.TryAdd(path, 0);
            foreach (string wanted in _references[path].Where(_references.ContainsKey))
            {
                _heights[wanted] = Math.Max(_heights.GetValueOrDefault(wanted), _heights[path] + 1);
                if (--dependents[wanted] == 0)
                {
                    next.Enqueue(wanted);
                }
            }
        }
    }
}
