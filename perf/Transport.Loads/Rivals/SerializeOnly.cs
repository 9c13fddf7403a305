using System;
using System.Buffers;
using Transport.Loads.Events;

namespace Transport.Loads.Rivals;

/// <summary>What no hand-over can be cheaper than: the same formatter into a buffer that is used again and again, given to nobody.</summary>
internal sealed class SerializeOnly : IEventSender, IBufferWriter<byte>
{
    /// <summary>How a worker is asked for it.</summary>
    public const string Name = "serialize";

    private readonly byte[] _buffer = new byte[64 << 10];
    private int _used;

    public void Send(LoadEvent e)
    {
        if (_buffer.Length - _used < HandCodec.MaxSize)
        {
            _used = 0;
        }

        LoadEventFormatter.Type.Formatter.Write(this, e);
    }

    public void Advance(int count) => _used += count;

    public Memory<byte> GetMemory(int sizeHint = 0) => _buffer.AsMemory(_used);

    public Span<byte> GetSpan(int sizeHint = 0) => _buffer.AsSpan(_used);

    public void Flush() => _used = 0;

    public void Dispose()
    {
        // Holds nothing.
    }
}

/// <summary>Does nothing: what the clock and the scheduler alone show of a call.</summary>
internal sealed class ClockOnly : IEventSender
{
    /// <summary>How a worker is asked for it.</summary>
    public const string Name = "clock";

    public void Send(LoadEvent e)
    {
        // Nothing, so that only the reading of the clock is left.
    }

    public void Flush()
    {
        // Nothing waits.
    }

    public void Dispose()
    {
        // Holds nothing.
    }
}
