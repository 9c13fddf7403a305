using System;

namespace Transport.Files;

/// <summary>One thing that did not succeed.</summary>
/// <param name="Path">The entry's path as it was given, or the target's.</param>
/// <param name="Operation">What was done: create, write, map, close, sync, times, mode, directory, link, source, publish, remove.</param>
/// <param name="Fault">Who must act.</param>
/// <param name="Cause">The exception underneath: an <see cref="System.IO.IOException"/> with the system's error code, or the source's own.</param>
public sealed record FileFailure(string Path, string Operation, TransportFault Fault, Exception Cause)
{
    /// <summary>Gives one line for a person: path, operation, reason. Control characters are escaped.</summary>
    /// <returns>The line.</returns>
    public override string ToString() => $"{Operation} '{EntryName.Escape(Path)}': {EntryName.Escape(Cause.Message)}";
}
