using System;
using System.Globalization;

namespace Transport;

/// <summary>One frame in the reader's window. Its body is a part of the buffer that was fed, and lives no longer.</summary>
internal readonly struct Frame
{
    public Frame(in FrameHeader header, int offset)
    {
        Lane = header.Lane;
        Type = header.Type;
        More = header.More;
        Length = header.Length;
        Offset = offset;
    }

    public Lane Lane { get; }

    public ushort Type { get; }

    /// <summary>Gets a value indicating whether the packet goes on in the lane's next frame.</summary>
    public bool More { get; }

    /// <summary>Gets where the body starts in the buffer that was fed.</summary>
    public int Offset { get; }

    /// <summary>Gets the bytes of the body.</summary>
    public int Length { get; }
}

/// <summary>Cuts the frames out of what has been read from a wire, without copying. Putting chunks together is the receive loop's
/// part.</summary>
/// <remarks>One thread. The buffer stays the receive loop's: between two reads it may be moved to another one, as long as the window goes
/// on with the first byte not yet consumed (<see cref="Start"/>).</remarks>
internal sealed class FrameReader
{
    private byte[] _buffer = [];
    private long _consumed;
    private long _frames;

    /// <summary>Gets where the first byte not yet consumed stands in the buffer.</summary>
    public int Start { get; private set; }

    /// <summary>Gets the end of the window, behind its last byte.</summary>
    public int End { get; private set; }

    /// <summary>Gets a value indicating whether the window ends inside a frame: the end of the stream would come too early.</summary>
    public bool InsideFrame => End > Start;

    /// <summary>Gets how many bytes the next frame has in all, as far as is known: its header and body, or a header if it has not come
    /// whole. Set by a <see cref="TryRead"/> that gave nothing.</summary>
    public int Needed { get; private set; } = FrameHeader.Size;

    /// <summary>Sets the window: the bytes left from before, moved or not, and those that came behind them.</summary>
    public void Feed(byte[] buffer, int start, int end)
    {
        if ((uint)end > (uint)buffer.Length || (uint)start > (uint)end)
        {
            throw new ArgumentOutOfRangeException(nameof(end), end, "The window must lie in the buffer.");
        }

        _buffer = buffer;
        Start = start;
        End = end;
    }

    /// <summary>Takes the next whole frame out of the window.</summary>
    /// <returns>False if the window holds no whole frame; <see cref="Needed"/> then says how many bytes from <see cref="Start"/> on
    /// there must be.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.FrameCorrupt"/>: the bytes there are, be it one, begin no
    /// frame.</exception>
    public bool TryRead(out Frame frame)
    {
        frame = default;
        int available = End - Start;
        FrameHeaderState state =
            FrameHeader.Parse(new ReadOnlySpan<byte>(_buffer, Start, available), out FrameHeader header, out string problem);
        if (state != FrameHeaderState.Ok)
        {
            Needed = FrameHeader.Size;
            return state == FrameHeaderState.NeedMore ? false : throw Corrupt(problem);
        }

        int whole = FrameHeader.Size + header.Length;
        if (available < whole)
        {
            Needed = whole;
            return false;
        }

        frame = new Frame(header, Start + FrameHeader.Size);
        Start += whole;
        _consumed += whole;
        _frames++;
        return true;
    }

    private TransportException Corrupt(string problem) => new(
        TransportFault.FrameCorrupt,
        string.Format(
            CultureInfo.InvariantCulture,
            "No frame at byte {0} of the stream (after {1} whole frames): {2}. The peer writes something else than PROTOCOL.md.",
            _consumed,
            _frames,
            problem));
}
