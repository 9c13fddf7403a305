using System;
using System.IO;

namespace Transport.Files;

/// <summary>A call of the system that failed: what was done, to what, and why.</summary>
internal sealed class FileCallException : IOException
{
    public FileCallException(string operation, TransportFault fault, string message, int code = 0, Exception? cause = null)
        : base(message, cause)
    {
        Operation = operation;
        Fault = fault;
        HResult = code;
    }

    /// <summary>Gets the word of <see cref="FileFailure.Operation"/>.</summary>
    public string Operation { get; }

    public TransportFault Fault { get; }

    /// <summary>Turns what a writer threw into a failure of an entry.</summary>
    public static FileFailure Failure(string path, string operation, Exception thrown) => thrown switch
    {
        FileCallException call => new FileFailure(path, call.Operation, call.Fault, call),
        TransportException known => new FileFailure(path, operation, known.Fault, known),
        _ => new FileFailure(path, operation, TransportFault.FileFailed, thrown),
    };
}
