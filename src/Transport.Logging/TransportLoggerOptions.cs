using System;

namespace Transport.Logging;

/// <summary>Options of a <see cref="TransportLoggerProvider"/>. Read once, when the provider is made.</summary>
public sealed class TransportLoggerOptions
{
    /// <summary>Gets or sets a value indicating whether errors and criticals travel in the urgent lane, where they may overtake other
    /// events.</summary>
    /// <value>The default is false: all events in one lane, so that their order holds.</value>
    public bool UrgentErrors { get; set; }

    /// <summary>Gets or sets a value indicating whether the open scopes travel with each event (<see cref="LogEvent.Scopes"/>).</summary>
    /// <value>The default is true.</value>
    public bool IncludeScopes { get; set; } = true;

    /// <summary>Gets or sets what happens to an event that finds no capacity in the link's queue.</summary>
    /// <value>
    /// The default is <see cref="LogOverflow.Drop"/>: logging never blocks, and what is dropped is counted and reported to the main node.
    /// <see cref="LogOverflow.Wait"/> slows the program down instead.
    /// </value>
    public LogOverflow OnFull { get; set; }

    /// <summary>Gets or sets the clock that dates events.</summary>
    /// <value>The default is the system's.</value>
    public TimeProvider Clock { get; set; } = TimeProvider.System;
}
