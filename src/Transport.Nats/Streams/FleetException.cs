using System;

namespace Transport.Nats;

/// <summary>The one exception of farms: a fault from the short list, what was expected, what came, what to do.</summary>
public sealed class FleetException : Exception
{
    /// <summary>Initializes a new instance of the <see cref="FleetException"/> class.</summary>
    /// <param name="fault">The fault.</param>
    /// <param name="message">One sentence for a person.</param>
    /// <param name="cause">The exception underneath, or null.</param>
    public FleetException(FleetFault fault, string message, Exception? cause = null)
        : base(message, cause) => Fault = fault;

    /// <summary>Gets the fault.</summary>
    public FleetFault Fault { get; }
}
