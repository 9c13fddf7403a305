using System;
using Transport.Receiving;

namespace Transport.Links;

/// <summary>Bounds a wait for room that began in a handler of the same link, or in what one started. Where one handler runs all that time, its link reads nothing: if the peer does likewise, both wait for ever.</summary>
/// <remarks>Who waits asks at each wake; the link's pulse wakes those that wait in a handler, so that the time is kept by the link's own clock. Who blocks a thread asks by himself, too: the pulse has none to run on where such waits have taken them all.</remarks>
internal sealed class HandlerWatch(ReceiveLoop loop, LinkOptions options)
{
    private long _since = options.Clock.GetTimestamp();
    private long _handled = loop.Handled;
    private long _frame = loop.LastFrame;

    /// <summary>Throws where one handler has run for all of the time; where another has begun, or none runs, the time begins anew.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.HandlerBlocked"/>.</exception>
    public void ThrowIfStuck()
    {
        if (options.Clock.GetElapsedTime(_since) < options.SilenceTimeout)
        {
            return;
        }

        // The last frame's time too: the link may have been idle, and another handler have begun just now.
        if (loop.Handled == _handled && loop.LastFrame == _frame && !loop.IsWaiting)
        {
            throw new TransportException(
                TransportFault.HandlerBlocked,
                $"A send that began in a handler of this link has waited for room for {options.SilenceTimeout.TotalSeconds:0.###} s (LinkOptions.SilenceTimeout), and that handler still runs: meanwhile nothing is read, and a peer that does the same waits for this side. Send from a task of its own, use Send, or raise LinkOptions.MaxQueuedBytes ({options.MaxQueuedBytes}).");
        }

        _since = options.Clock.GetTimestamp();
        _handled = loop.Handled;
        _frame = loop.LastFrame;
    }
}
