namespace Transport;

/// <summary>The two threads of a link: one reads, and handlers run on it; one writes.</summary>
internal sealed class LinkThreads
{
    /// <summary>No formatter and no handler runs on the send thread.</summary>
    private const int SendStack = 256 << 10;

    private LinkThreads(PumpThread receive, PumpThread send)
    {
        Receive = receive;
        Send = send;
    }

    /// <summary>Gets the thread that reads.</summary>
    public PumpThread Receive { get; }

    /// <summary>Gets the thread that writes.</summary>
    public PumpThread Send { get; }

    /// <summary>Starts both.</summary>
    /// <returns>Both, parked; null if the system does not give two threads.</returns>
    public static LinkThreads? TryStart()
    {
        if (PumpThread.TryStart("transport receive") is not { } receive)
        {
            return null;
        }

        if (PumpThread.TryStart("transport send", SendStack) is { } send)
        {
            return new LinkThreads(receive, send);
        }

        receive.End();
        return null;
    }

    /// <summary>Ends both after the work at hand.</summary>
    public void End()
    {
        Receive.End();
        Send.End();
    }
}
