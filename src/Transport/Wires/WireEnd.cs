using System;

namespace Transport;

/// <summary>Ends wires that may be a caller's: what their ends throw, against the contract of <see cref="IWire"/>, is only written to the
/// event source.</summary>
internal static class WireEnd
{
    /// <summary>Aborts a wire. Never throws.</summary>
    public static void TryAbort(this IWire wire, string node) => Try(wire.Abort, nameof(IWire.Abort), node);

    /// <summary>Disposes a wire. Never throws.</summary>
    public static void TryDispose(this IWire wire, string node) => Try(wire.Dispose, nameof(IDisposable.Dispose), node);

    private static void Try(Action end, string call, string node)
    {
        try
        {
            end();
        }
        catch (Exception thrown)
        {
            TransportEventSource.Log.WireEndFailed(node, call, ExceptionText.Brief(thrown));
        }
    }
}
