using System;

namespace Transport.Terminal;

/// <summary>A program cannot go on; the message is one sentence for a person and needs no stack trace.</summary>
public class ToolException : Exception
{
    /// <summary>Initializes a new instance of the <see cref="ToolException"/> class.</summary>
    /// <param name="message">What is wrong, and what to do.</param>
    /// <param name="exitCode">The exit code, one of <see cref="ToolExitCodes"/>.</param>
    public ToolException(string message, int exitCode)
        : base(message) => ExitCode = exitCode;

    /// <summary>Gets the exit code.</summary>
    public int ExitCode { get; }
}
