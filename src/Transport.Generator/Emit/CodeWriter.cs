using System.Text;

namespace Transport.Generator.Emit;

/// <summary>Lines of code, indented.</summary>
internal sealed class CodeWriter
{
    private readonly StringBuilder _text = new();
    private int _depth;

    public void Line(string line = "")
    {
        if (line.Length > 0)
        {
            _text.Append(' ', 4 * _depth).Append(line);
        }

        _text.Append('\n');
    }

    /// <summary>Opens a block under a line.</summary>
    public void Open(string line)
    {
        Line(line);
        Line("{");
        _depth++;
    }

    public void Close()
    {
        _depth--;
        Line("}");
    }

    public override string ToString() => _text.ToString();
}
