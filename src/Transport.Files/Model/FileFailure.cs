using System;

namespace Transport.Files;

/// <summary>One operation that failed.</summary>
/// <param name="Path">The entry's path as it was given, or the target's.</param>
/// <param name="Operation">The operation: create, write, map, close, sync, times, mode, directory, link, source, publish, remove.</param>
/// <param name="Fault">The kind of failure.</param>
/// <param name="Cause">
/// The exception underneath: an <see cref="System.IO.IOException"/> with the system's error code, or the source's own.
/// </param>
public sealed record FileFailure(string Path, string Operation, TransportFault Fault, Exception Cause)
{
    /// <summary>Returns one line for a person: operation, path, reason. Control characters are escaped.</summary>
    /// <returns>The line.</returns>
    public override string ToString() => $"{Operation} '{TerminalText.Escape(Path)}': {TerminalText.Escape(Cause.Message)}";

    /// <summary>Creates the exception for this failure.</summary>
    internal TransportException ToException() => new(Fault, this + ".", Cause);
}
