using System.Collections.Generic;

namespace Transport.Tests.Sending.Schedules;

/// <summary>One way through a tree of choices; <see cref="Next"/> goes on to the way after it, depth first, until all were gone.</summary>
internal sealed class Schedule
{
    private readonly List<(int Chosen, int Of)> _choices = [];
    private readonly List<string> _names = [];
    private int _at;

    /// <summary>Gets how many ways were gone.</summary>
    public int Count { get; private set; } = 1;

    /// <summary>Gets how often the choices at some place were not those of the way before: the run is then not repeatable there.</summary>
    public int Divergences { get; private set; }

    /// <summary>Chooses one of what is possible now.</summary>
    public string Choose(IReadOnlyList<string> possible)
    {
        if (_at == _choices.Count)
        {
            _choices.Add((0, possible.Count));
        }
        else if (_choices[_at].Of != possible.Count)
        {
            Divergences++;
            int chosen = _choices[_at].Chosen < possible.Count ? _choices[_at].Chosen : possible.Count - 1;
            _choices.RemoveRange(_at, _choices.Count - _at);
            _choices.Add((chosen, possible.Count));
        }

        string name = possible[_choices[_at++].Chosen];
        _names.Add(name);
        return name;
    }

    /// <summary>Goes on to the next way.</summary>
    /// <returns>False if all were gone.</returns>
    public bool Next()
    {
        _at = 0;
        _names.Clear();
        while (_choices.Count > 0)
        {
            (int chosen, int of) = _choices[_choices.Count - 1];
            _choices.RemoveAt(_choices.Count - 1);
            if (chosen + 1 < of)
            {
                _choices.Add((chosen + 1, of));
                Count++;
                return true;
            }
        }

        return false;
    }

    /// <inheritdoc/>
    public override string ToString() => string.Join(", ", _names);
}
