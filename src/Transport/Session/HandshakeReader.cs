using System;
using System.IO;

namespace Transport;

/// <summary>Reads the one frame that a handshake waits for. One thread at a time.</summary>
internal sealed class HandshakeReader(IWire wire)
{
    private readonly FrameReader _frames = new();
    private byte[] _window = new byte[1024];
    private int _end;

    /// <summary>Gets the bytes that have come.</summary>
    public int Received => _end;

    /// <summary>Reads until the frame is whole or nothing more has arrived.</summary>
    /// <param name="patience">How long to wait for each read, in milliseconds; 0 does not wait, -1 waits without limit.</param>
    /// <returns>The frame; null if it is not whole yet.</returns>
    /// <exception cref="IOException">The stream ended or broke.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.FrameCorrupt"/>.</exception>
    public HandshakeFrame? Read(int patience)
    {
        while (true)
        {
            _frames.Feed(_window, 0, _end);
            if (_frames.TryRead(out Frame frame))
            {
                return new HandshakeFrame(frame.Type, frame.Lane, frame.More, _window.AsSpan(frame.Offset, frame.Length).ToArray());
            }

            if (_end == _window.Length)
            {
                // Grows by what has arrived, up to one frame: no more is read.
                Array.Resize(ref _window, Math.Min(_window.Length * 2, FrameHeader.Size + FrameHeader.MaxBody));
            }

            int count = wire.Read(_window, _end, _window.Length - _end, patience);
            if (count < 0)
            {
                return null;
            }

            _end += count > 0 ? count : throw new EndOfStreamException();
        }
    }

    /// <summary>Returns what was read behind the frame: the first bytes of the link.</summary>
    public byte[] Leftover() => _window.AsSpan(_frames.Start, _end - _frames.Start).ToArray();
}

/// <summary>A whole frame of a handshake.</summary>
/// <param name="Type">The packet type.</param>
/// <param name="Lane">The lane.</param>
/// <param name="More">Whether the packet goes on in another frame.</param>
/// <param name="Body">The body, owned by the receiver.</param>
internal sealed record HandshakeFrame(ushort Type, Lane Lane, bool More, byte[] Body)
{
    /// <summary>Writes a whole frame of lane 0.</summary>
    /// <exception cref="IOException">The wire broke.</exception>
    public static void Write(IWire wire, ushort type, ArrayWriter body)
    {
        var frame = new byte[FrameHeader.Size + body.Length];
        FrameHeader.Write(frame, Lane.Control, more: false, type, body.Length);
        body.Written.CopyTo(frame.AsSpan(FrameHeader.Size));
        wire.Write(frame, 0, frame.Length);
    }
}
