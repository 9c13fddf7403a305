namespace Transport;

/// <summary>What a .NET or Mono program died of by its own account.</summary>
public enum FatalErrorKind
{
    /// <summary>An exception that nobody caught. .NET ends with SIGABRT, Mono with exit code 1.</summary>
    UnhandledException = 1,

    /// <summary><c>Environment.FailFast</c>.</summary>
    FailFast = 2,

    /// <summary>A stack that was full: a recursion without end.</summary>
    StackOverflow = 3,

    /// <summary>The managed heap was full (its limit, or the system's) and nobody caught it; or the system gave no thread (<c>ulimit
    /// -u</c>, a control group's pids.max, no descriptors), of which .NET says the same. A kill by the kernel is
    /// <see cref="ProcessExit.OutOfMemoryKill"/>.</summary>
    OutOfMemory = 4,

    /// <summary>A fault inside the runtime, or memory that may not be touched.</summary>
    RuntimeFault = 5,

    /// <summary>The program never ran: the .NET runtime, or the version of it that it needs, was not found.</summary>
    RuntimeMissing = 6,
}

/// <summary>The fatal error that a .NET or Mono program reported on its output before it ended. Immutable.</summary>
/// <param name="Kind">Which.</param>
/// <param name="Message">What it said, in one line of at most 1,024 characters, without the stack: type and message of an exception,
/// FailFast's message, the first sentence of the rest.</param>
public sealed record FatalError(FatalErrorKind Kind, string Message)
{
    /// <summary>Gets the error in a few words for a person.</summary>
    /// <returns>For example <c>unhandled exception: System.InvalidOperationException: no such target</c>, or <c>stack
    /// overflow</c>.</returns>
    public override string ToString()
    {
        string kind = Kind switch
        {
            FatalErrorKind.UnhandledException => "unhandled exception",
            FatalErrorKind.FailFast => "FailFast",
            FatalErrorKind.StackOverflow => "stack overflow",
            FatalErrorKind.OutOfMemory => Message.Length == 0 ? "out of memory or threads" : "out of memory",
            FatalErrorKind.RuntimeMissing => "missing runtime",
            _ => "runtime fault",
        };
        return Message.Length == 0 ? kind : $"{kind}: {Message}";
    }
}
