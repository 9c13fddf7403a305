using System;

namespace Transport;

/// <summary>The one exception of this library: a fault from the short list, what was expected, what arrived, what to do.</summary>
public sealed class TransportException : Exception
{
    /// <summary>Initializes a new instance of the <see cref="TransportException"/> class.</summary>
    /// <param name="fault">The fault; never <see cref="TransportFault.None"/>.</param>
    /// <param name="message">One sentence for a person: what was expected, what arrived, what to do.</param>
    /// <param name="cause">The exception underneath, or null.</param>
    /// <param name="code">For <see cref="TransportFault.Rejected"/>: the wire's word; null otherwise.</param>
    public TransportException(TransportFault fault, string message, Exception? cause = null, string? code = null)
        : base(message, cause)
    {
        Fault = fault;
        Code = code;
    }

    /// <summary>Gets the fault.</summary>
    public TransportFault Fault { get; }

    /// <summary>Gets, for <see cref="TransportFault.Rejected"/>, the wire's word: identity, malformed, secret, protocol, version or busy;
    /// null otherwise.</summary>
    public string? Code { get; }
}
