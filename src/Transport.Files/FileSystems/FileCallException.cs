using System;
using System.IO;

namespace Transport.Files;

/// <summary>A file system operation that failed: what was done, to what, and why.</summary>
internal sealed class FileCallException : IOException
{
    /// <summary>Initializes a new instance of the <see cref="FileCallException"/> class.</summary>
    /// <param name="operation">The word for <see cref="FileFailure.Operation"/>.</param>
    /// <param name="fault">The kind of failure.</param>
    /// <param name="message">The reason, for a person.</param>
    /// <param name="code">The system's error code, or 0.</param>
    /// <param name="cause">The exception underneath, or null.</param>
    public FileCallException(string operation, TransportFault fault, string message, int code = 0, Exception? cause = null)
        : base(message, cause)
    {
        Operation = operation;
        Fault = fault;
        HResult = code;
    }

    /// <summary>Gets the word for <see cref="FileFailure.Operation"/>.</summary>
    public string Operation { get; }

    /// <summary>Gets the kind of failure.</summary>
    public TransportFault Fault { get; }

    /// <summary>Converts any exception into the failure of an entry.</summary>
    /// <param name="path">The entry's path.</param>
    /// <param name="operation">The operation, if the exception does not name it.</param>
    /// <param name="thrown">The exception.</param>
    public static FileFailure Failure(string path, string operation, Exception thrown) => thrown switch
    {
        FileCallException call => new FileFailure(path, call.Operation, call.Fault, call),
        TransportException known => new FileFailure(path, operation, known.Fault, known),
        _ => new FileFailure(path, operation, TransportFault.FileFailed, thrown),
    };
}
