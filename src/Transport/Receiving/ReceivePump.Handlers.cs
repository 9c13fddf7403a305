using System;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <content>Which call of a handler some code belongs to.</content>
/// <remarks>
/// A handler that returns a task passes its scope on to what it awaits and starts; each call has a scope of its own, so that work which outlives its
/// handler is not taken for a part of a later one. A handler that returns nothing is known by its thread: a scope for each call would cost an allocation
/// a packet. What such a handler starts on other threads does not belong to it.
/// </remarks>
internal sealed partial class ReceivePump
{
    private readonly AsyncLocal<HandlerScope?> _awaited = new();
    private HandlerScope? _blocking;   // of the handler that runs on _handlerThread; touched by that thread alone
    private int _handlerThread;        // or 0; a thread only looks for itself

    /// <summary>Returns the running handler that the calling code belongs to.</summary>
    /// <returns>The handler's scope; null for any other code.</returns>
    public HandlerScope? FindOwnHandler() =>
        _handlerThread == Environment.CurrentManagedThreadId ? _blocking ??= new HandlerScope()
        : _awaited.Value is { IsOver: false } scope ? scope
        : null;

    /// <summary>Says that a handler begins which ends with <see cref="LeaveHandler"/> on the same thread.</summary>
    public void EnterHandler() => _handlerThread = Environment.CurrentManagedThreadId;

    /// <summary>Says that the handler has returned.</summary>
    public void LeaveHandler()
    {
        _handlerThread = 0;
        if (_blocking is { } scope)
        {
            scope.IsOver = true;
            _blocking = null;
        }
    }

    private ValueTask Invoke(PacketHandler handler, in RawPacket packet)
    {
        if (handler.IsAsync)
        {
            return InvokeAwaited(handler, packet);
        }

        EnterHandler();
        try
        {
            return handler.HandleAsync(packet);
        }
        finally
        {
            LeaveHandler();
        }
    }

    private ValueTask InvokeAwaited(PacketHandler handler, in RawPacket packet)
    {
        var scope = new HandlerScope();
        _awaited.Value = scope;
        bool pends = false;
        try
        {
            ValueTask handling = handler.HandleAsync(packet);
            pends = !handling.IsCompletedSuccessfully;
            return pends ? FinishAsync(handling, scope) : default;
        }
        finally
        {
            scope.IsOver |= !pends;
        }
    }

    private static async ValueTask FinishAsync(ValueTask handling, HandlerScope scope)
    {
        try
        {
            await handling.ConfigureAwait(false);
        }
        finally
        {
            scope.IsOver = true;
        }
    }
}
