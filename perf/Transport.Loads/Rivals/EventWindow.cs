using System;
using Transport.Loads.Events;

namespace Transport.Loads.Rivals;

/// <summary>Decodes the rivals' events out of what has been read, in place; an event that is not there whole moves to the front.</summary>
internal sealed class EventWindow(EventSink sink)
{
    private readonly byte[] _bytes = new byte[256 << 10];
    private int _end;

    /// <summary>Gets where the next read goes.</summary>
    public Memory<byte> Capacity => _bytes.AsMemory(_end);

    /// <summary>Takes what the last read put into <see cref="Capacity"/>.</summary>
    public void Take(int count)
    {
        _end += count;
        int at = 0;
        while (HandCodec.Read(_bytes.AsSpan(at, _end - at), out LoadEvent? e) is int size && size > 0)
        {
            sink.Take(e!);
            at += size;
        }

        _bytes.AsSpan(at, _end - at).CopyTo(_bytes);
        _end -= at;
    }
}
