using System;
using System.Buffers;

namespace Transport.Nats;

/// <summary>Puts a packet together that came in parts; memory grows with what has come. What comes out of order is forgotten: the block
/// behind it shows that it is missing.</summary>
internal sealed class PartAssembly
{
    private readonly ArrayBufferWriter<byte> _content = new();
    private BlockHeader _header;
    private int _next;

    /// <summary>Adds a part.</summary>
    /// <param name="header">Its header.</param>
    /// <param name="content">Its bytes.</param>
    /// <param name="most">The most bytes that the parts may have together.</param>
    /// <param name="whole">The bytes of all parts, if this was the last; valid until the next call.</param>
    /// <returns>Null, or what is wrong, in words that follow the block's name.</returns>
    public string? Add(in BlockHeader header, ReadOnlySpan<byte> content, int most, out ReadOnlyMemory<byte>? whole)
    {
        whole = null;
        if (header.Part == 0)
        {
            _content.ResetWrittenCount();
            (_header, _next) = (header, 0);
        }

        if (_next < 0 || header.Part != _next || header with { Part = 0 } != _header)
        {
            _next = -1;
            return null;
        }

        if (_content.WrittenCount + content.Length > most)
        {
            _next = -1;
            return $"is a packet of more than {most} bytes (ReceiverOptions.MaxPacketBytes)";
        }

        _content.Write(content);
        _next++;
        if (_next == header.Parts)
        {
            whole = _content.WrittenMemory;
            _next = -1;
        }

        return null;
    }
}
