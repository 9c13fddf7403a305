using System;
using System.Text;

namespace Transport;

/// <summary>Cuts one stream's bytes into whole lines. A line longer than <see cref="Longest"/> comes in pieces, never cut inside a
/// character.</summary>
internal sealed class LineCutter
{
    public const int Longest = 64 << 10;
    private const byte Newline = (byte)'\n', Return = (byte)'\r';

    private readonly bool _isError;
    private readonly Action<OutputLine> _line;
    private byte[] _begun = new byte[512];
    private int _length;
    private bool _isFirst = true;

    public LineCutter(bool isError, Action<OutputLine> line)
    {
        _isError = isError;
        _line = line;
    }

    public void Append(byte[] bytes, int count)
    {
        int from = 0;
        while (from < count)
        {
            int end = Array.IndexOf(bytes, Newline, from, count - from);
            if (end < 0)
            {
                Keep(bytes, from, count - from);
                return;
            }

            Keep(bytes, from, end - from);
            EndLine();
            from = end + 1;
        }
    }

    /// <summary>The stream is at its end: what was begun is a line.</summary>
    public void Complete()
    {
        if (_length > 0)
        {
            EndLine();
        }
    }

    private void EndLine()
    {
        int length = _length > 0 && _begun[_length - 1] == Return ? _length - 1 : _length;
        int from = TakeMark(length);
        _length = 0;
        _line(new OutputLine(Encoding.UTF8.GetString(_begun, from, length - from), _isError, IsPartial: false));
    }

    /// <summary>Passes over the UTF-8 byte order mark that a stream may begin with.</summary>
    /// <returns>Where the line's text begins.</returns>
    private int TakeMark(int length)
    {
        bool hasMark = _isFirst && length >= 3 && _begun[0] == 0xEF && _begun[1] == 0xBB && _begun[2] == 0xBF;
        _isFirst = false;
        return hasMark ? 3 : 0;
    }

    private void Keep(byte[] bytes, int from, int count)
    {
        while (count > 0)
        {
            // One byte more than the longest: only a line that really goes on is cut.
            int capacity = Longest + 1 - _length;
            int taken = Math.Min(capacity, count);
            if (_begun.Length < _length + taken)
            {
                Array.Resize(ref _begun, Math.Min(Longest + 1, Math.Max(_length + taken, 2 * _begun.Length)));
            }

            Buffer.BlockCopy(bytes, from, _begun, _length, taken);
            _length += taken;
            from += taken;
            count -= taken;
            if (_length > Longest)
            {
                CutPiece();
            }
        }
    }

    private void CutPiece()
    {
        int length = Longest;
        if (_begun[length - 1] == Return)
        {
            length--; // it may belong to the line's end
        }
        else
        {
            // Back to the start of the character that the cut would split: at most 3 continuation bytes (10xxxxxx) before the cut.
            int start = length;
            while (start > Longest - 3 && (_begun[start] & 0xC0) == 0x80)
            {
                start--;
            }

            length = (_begun[start] & 0xC0) == 0x80 ? length : start;
        }

        int from = TakeMark(length);
        _line(new OutputLine(Encoding.UTF8.GetString(_begun, from, length - from), _isError, IsPartial: true));
        Buffer.BlockCopy(_begun, length, _begun, 0, _length - length);
        _length -= length;
    }
}
