using System;

namespace Transport;

/// <summary>The one exception of this library: a fault from the short list, what was expected, what arrived, what to do.</summary>
public sealed class TransportException : Exception
{
    /// <summary>Initializes a new instance of the <see cref="TransportException"/> class.</summary>
    /// <param name="fault">The fault; never <see cref="TransportFault.None"/>.</param>
    /// <param name="message">One sentence for a person: what was expected, what arrived, what to do.</param>
    /// <param name="innerException">The exception underneath, or null.</param>
    /// <param name="code">The value of <see cref="Code"/>.</param>
    public TransportException(TransportFault fault, string message, Exception? innerException = null, string? code = null)
        : base(message, innerException)
    {
        Fault = fault;
        Code = code;
    }

    /// <summary>Gets the fault.</summary>
    public TransportFault Fault { get; }

    /// <summary>Gets a word for programs to decide by. For <see cref="TransportFault.Rejected"/> the wire's word: <c>identity</c>,
    /// <c>malformed</c>, <c>secret</c>, <c>protocol</c>, <c>version</c> or <c>busy</c>. For <see cref="TransportFault.StartFailed"/>, as a
    /// shell sorts it: <c>not-found</c> (a shell exits with 127), <c>not-executable</c> (126: no permission, a folder, no known format, a
    /// missing interpreter) or <c>other</c> (125: a missing working folder, no memory, too many processes, too long a command line). For
    /// <see cref="TransportFault.BadEndpoint"/> <c>not-permitted</c>, if the system refuses this process a socket or a place for it (EPERM,
    /// EACCES, EROFS, EAFNOSUPPORT, ENOSYS and their like). Null otherwise.</summary>
    public string? Code { get; }
}
