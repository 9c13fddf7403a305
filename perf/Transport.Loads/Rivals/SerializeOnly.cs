using Transport.Loads.Events;

namespace Transport.Loads.Rivals;

/// <summary>What no hand-over can be cheaper than: the same formatter into a buffer that is used again and again, given to
/// nobody.</summary>
internal sealed class SerializeOnly : IEventSender
{
    /// <summary>How a worker is asked for it.</summary>
    public const string Name = "serialize";

    private readonly ReusedBuffer _buffer = new(64 << 10);

    public void Send(LoadEvent e)
    {
        _buffer.KeepCapacity(HandCodec.MaxSize);
        LoadEventFormatter.Type.Formatter.Write(_buffer, e);
    }

    public void Flush() => _buffer.Reset();

    public void Dispose()
    {
        // Holds nothing.
    }
}
