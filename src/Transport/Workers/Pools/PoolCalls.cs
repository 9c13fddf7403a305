using System;
using System.Threading;

namespace Transport;

/// <summary>Calls into a pool's program. What it throws is only written to the event source: a subscriber's mistake must not end the
/// pool.</summary>
internal static class PoolCalls
{
    /// <summary>Cancels, with all the callbacks that the program has hung on the token.</summary>
    public static void Cancel(CancellationTokenSource source) => Guard(source.Cancel);

    /// <summary>Calls, and writes down what it throws.</summary>
    public static void Guard(Action call)
    {
        try
        {
            call();
        }
#pragma warning disable CA1031 // see above
        catch (Exception e)
#pragma warning restore CA1031
        {
            TransportEventSource.Log.HandlerFailed(string.Empty, string.Empty, "a callback of a worker pool", ExceptionText.MessageOf(e));
        }
    }
}
