using Transport.Loads.Events;

namespace Transport.Loads.Rivals;

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
