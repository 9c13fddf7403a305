using System;
using System.Threading;

namespace Transport.Logging;

/// <summary>Options of a <see cref="TransportLoggerProvider"/>. Read once, when the provider is made.</summary>
public sealed class TransportLoggerOptions
{
    private TimeSpan _wait;

    /// <summary>Gets or sets a value indicating whether errors and criticals travel in the urgent lane, where they may overtake other
    /// events.</summary>
    /// <value>The default is false: all events in one lane, so that their order holds.</value>
    public bool UrgentErrors { get; set; }

    /// <summary>Gets or sets a value indicating whether the open scopes travel with each event (<see cref="LogEvent.Scopes"/>).</summary>
    /// <value>The default is true.</value>
    public bool IncludeScopes { get; set; } = true;

    /// <summary>Gets or sets how long a log call waits for capacity in the link's queue; only then the event is dropped.</summary>
    /// <value>
    /// The default is zero: logging never blocks, lower levels are dropped first, and what is dropped is counted and reported to the main
    /// node. More slows the program down instead; <see cref="Timeout.InfiniteTimeSpan"/>: as long as the link lives.
    /// </value>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative, and not infinite.</exception>
    /// <remarks>Do not set it if a handler of the same link logs: while it waits, nothing is read.</remarks>
    public TimeSpan WaitWhenFull
    {
        get => _wait;
        set => _wait = value >= TimeSpan.Zero || value == Timeout.InfiniteTimeSpan ? value
            : throw new ArgumentOutOfRangeException(nameof(value), value, "The time is zero, positive or infinite.");
    }

    /// <summary>Gets or sets the clock that dates events.</summary>
    /// <value>The default is the system's.</value>
    public TimeProvider TimeProvider { get; set; } = TimeProvider.System;
}
