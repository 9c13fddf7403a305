using System;
using Transport.Loads.Events;

namespace Transport.Loads.Rivals;

/// <summary>This library, as a user would call it: <c>Send</c>, which is <c>Send</c> until there is no capacity.</summary>
internal sealed class TransportSender(Link link) : IEventSender
{
    private static readonly TimeSpan s_deadline = TimeSpan.FromSeconds(60);

    public void Send(LoadEvent e)
    {
        if (link.Send(LoadEventFormatter.Type, e, s_deadline) != SendResult.Queued)
        {
            throw new LoadException("The link took no event for a minute, or has ended.");
        }
    }

    public void Flush()
    {
        // The send loop writes whatever is queued.
    }

    public void Dispose() => link.CloseAsync(timeout: TimeSpan.FromSeconds(5)).GetAwaiter().GetResult();
}
