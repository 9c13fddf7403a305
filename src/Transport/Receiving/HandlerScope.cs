namespace Transport;

/// <summary>One call of a handler, for code that must know whether it still runs.</summary>
internal sealed class HandlerScope
{
    private volatile bool _isOver;   // set by the receive pump when the handler has returned; read by the code that kept the packet

    /// <summary>Gets or sets a value indicating whether the handler has finished. Written once, by the receive loop.</summary>
    public bool IsOver
    {
        get => _isOver;
        set => _isOver = value;
    }
}
