using System.Collections.Generic;
using System.Text;
using Units;

namespace Report;

/// <summary>Names and lengths, one a line.</summary>
public sealed class Table
{
    private readonly List<(string Name, Length Length)> _rows = [];

    public void Add(string name, Length length) => _rows.Add((name, length));

    public override string ToString()
    {
        var text = new StringBuilder();
        foreach ((string name, Length length) in _rows)
        {
            text.Append(name).Append(": ").Append(length).AppendLine();
        }

        return text.ToString();
    }
}
