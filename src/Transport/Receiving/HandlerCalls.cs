using System;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Transport;

/// <summary>Calls handlers on the receive thread, waits for those that return a task, and knows which code belongs to which call.</summary>
/// <remarks>
/// A handler that returns a task passes its scope on to what it awaits and starts; each call has a scope of its own, so that work which
/// outlives its handler is not taken for a part of a later one. A handler that returns nothing is known by its thread: a scope for each
/// call
/// would cost an allocation a packet. What such a handler starts on other threads does not belong to it.
/// </remarks>
internal sealed class HandlerCalls
{
    /// <summary>The code of a failure that ends the link in any case: its packet must come again.</summary>
    public const string Ending = "comes-again";

    private readonly AsyncLocal<HandlerScope?> _awaited = new();
    private readonly SemaphoreSlim _returned = new(0);
    private readonly Action _signal;
    private HandlerScope? _blocking;   // of the handler that runs on _thread; touched by that thread alone
    private int _thread;               // or 0; a thread only looks for itself

    public HandlerCalls() => _signal = () => _returned.Release();

    /// <summary>Returns the running handler that the calling code belongs to.</summary>
    /// <returns>The handler's scope; null for any other code.</returns>
    public HandlerScope? FindOwn() =>
        _thread == Environment.CurrentManagedThreadId ? _blocking ??= new HandlerScope()
        : _awaited.Value is { IsOver: false } scope ? scope
        : null;

    /// <summary>Marks the beginning of a handler that ends with <see cref="Leave"/> on the same thread.</summary>
    public void Enter() => _thread = Environment.CurrentManagedThreadId;

    /// <summary>Marks the handler's return.</summary>
    public void Leave()
    {
        _thread = 0;
        if (_blocking is { } scope)
        {
            scope.IsOver = true;
            _blocking = null;
        }
    }

    /// <summary>Calls a handler and waits for its end.</summary>
    /// <returns>Whether the thread had to wait for a task.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.HandlerFailed"/>.</exception>
    public bool Invoke(PacketHandler handler, in RawPacket packet)
    {
        if (handler.IsAsync)
        {
            return InvokeAwaited(handler, packet);
        }

        Enter();
        try
        {
            ValueTask handling = handler.HandleAsync(packet);
            return !handling.IsCompletedSuccessfully && Wait(handling);
        }
        finally
        {
            Leave();
        }
    }

    /// <summary>Blocks this thread until a task has ended. Allocates nothing.</summary>
    /// <returns>Whether it had to wait.</returns>
    public bool Wait(ValueTask task)
    {
        ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter awaiter = task.ConfigureAwait(false).GetAwaiter();
        bool pends = !awaiter.IsCompleted;
        if (pends)
        {
            awaiter.UnsafeOnCompleted(_signal);
            _returned.Wait();
        }

        awaiter.GetResult();
        return pends;
    }

    private bool InvokeAwaited(PacketHandler handler, in RawPacket packet)
    {
        var scope = new HandlerScope();
        _awaited.Value = scope;
        try
        {
            return Wait(handler.HandleAsync(packet));
        }
        finally
        {
            scope.IsOver = true;
        }
    }
}
