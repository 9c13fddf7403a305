using System;

namespace Transport;

/// <summary>The one exception of this library: a fault from the short list, what was expected, what came, what to do.</summary>
public sealed class TransportException : Exception
{
    /// <summary>Initializes a new instance of the <see cref="TransportException"/> class.</summary>
    /// <param name="fault">The fault; never <see cref="TransportFault.None"/>.</param>
    /// <param name="message">One sentence for a person: what was expected, what came, what to do.</param>
    /// <param name="cause">The exception underneath, or null.</param>
    public TransportException(TransportFault fault, string message, Exception? cause = null)
        : base(message, cause)
    {
        Fault = fault;
    }

    /// <summary>Gets the fault.</summary>
    public TransportFault Fault { get; }
}
