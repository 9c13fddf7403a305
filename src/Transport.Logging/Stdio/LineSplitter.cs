using System;
using System.Text;

namespace Transport.Logging;

/// <summary>Makes whole lines of a stream of bytes, wherever the reads may have cut it. Not for concurrent use.</summary>
/// <remarks>LF and CR LF end a line. A line of more than 64 KiB comes in pieces, cut between characters. Bytes that are no UTF-8 become
/// U+FFFD.</remarks>
/// <param name="line">Takes the text without its end, and whether the line goes on.</param>
internal sealed class LineSplitter(Action<string, bool> line)
{
    internal const int MaxPiece = 64 << 10;

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: false);

    private byte[] _held = new byte[1024];
    private int _count;

    public void Feed(byte[] bytes, int offset, int count)
    {
        int end = offset + count;
        while (offset < end)
        {
            int lineEnd = Array.IndexOf(bytes, (byte)'\n', offset, end - offset);
            int stop = lineEnd < 0 ? end : lineEnd;
            Hold(bytes, offset, stop - offset);
            offset = stop;
            if (lineEnd >= 0)
            {
                offset++;
                EndLine();
            }
        }
    }

    /// <summary>Gives what stands behind the last line end.</summary>
    public void Finish()
    {
        if (_count > 0)
        {
            Give(_count, partial: false);
        }
    }

    private void EndLine() => Give(_count > 0 && _held[_count - 1] == '\r' ? _count - 1 : _count, partial: false);

    private void Hold(byte[] bytes, int offset, int count)
    {
        while (count > 0)
        {
            if (_count == MaxPiece)
            {
                GivePiece();
            }

            int now = Math.Min(count, MaxPiece - _count);
            if (_held.Length - _count < now)
            {
                Array.Resize(ref _held, Math.Min(MaxPiece, Math.Max(2 * _held.Length, _count + now)));
            }

            Buffer.BlockCopy(bytes, offset, _held, _count, now);
            _count += now;
            offset += now;
            count -= now;
        }
    }

    private void GivePiece()
    {
        // A CR may belong to a line end whose LF has not come yet, the last bytes to a character that is not complete.
        int cut = _held[_count - 1] == '\r' ? _count - 1 : Utf8Cut(_held, _count);
        int rest = _count - cut;
        Give(cut, partial: true);
        Buffer.BlockCopy(_held, cut, _held, 0, rest);
        _count = rest;
    }

    private void Give(int count, bool partial)
    {
        string text = Utf8.GetString(_held, 0, count);
        _count = 0;
        line(text, partial);
    }

    // The end of the last whole character; all of it if the last 4 bytes begin none.
    private static int Utf8Cut(byte[] bytes, int count)
    {
        for (int back = 1; back <= 4 && back <= count; back++)
        {
            byte b = bytes[count - back];
            if ((b & 0xc0) != 0x80)
            {
                int length = b < 0xc0 ? 1 : b < 0xe0 ? 2 : b < 0xf0 ? 3 : b < 0xf8 ? 4 : 1;
                return back < length ? count - back : count;
            }
        }

        return count;
    }
}
