namespace Transport;

/// <summary>Why a program could not be started, as a shell sorts it.</summary>
internal enum StartFailure
{
    /// <summary>There is no such program. A shell exits with 127.</summary>
    NotFound = 0,

    /// <summary>It is there, but the system will not run it: no permission, a folder, no known format, a missing interpreter. A shell exits
    /// with 126.</summary>
    NotExecutable = 1,

    /// <summary>Anything else: a missing working folder, no memory, too many processes, too long a command line.</summary>
    Other = 2,
}

/// <summary>A program that could not be started. An expected answer, so a value. Immutable.</summary>
/// <param name="Failure">The kind.</param>
/// <param name="Message">One sentence for a person that names the program and says what to do.</param>
internal sealed record StartError(StartFailure Failure, string Message)
{
    /// <summary>Returns <see cref="Message"/>.</summary>
    /// <returns>The sentence.</returns>
    public override string ToString() => Message;

    internal TransportException ToException() => new(
        TransportFault.StartFailed,
        Message,
        code: Failure switch
        {
            StartFailure.NotFound => "not-found",
            StartFailure.NotExecutable => "not-executable",
            _ => "other",
        });
}
