using System.Collections.Generic;

namespace Transport.Chaos.Kills;

/// <summary>What came of one exit.</summary>
internal sealed record Exit
{
    /// <summary>Gets its place in the order of exits.</summary>
    public required int Number { get; init; }

    public required Killing By { get; init; }

    /// <summary>Gets a value indicating whether all that can be queued fits the tail.</summary>
    public required bool Small { get; init; }

    /// <summary>Gets a value indicating whether it ever had a link.</summary>
    public bool Connected { get; init; }

    /// <summary>Gets how many packets <c>Send</c> answered Queued for, by the process's own book.</summary>
    public long Queued { get; init; }

    /// <summary>Gets how many sends were under way, neither answered nor not.</summary>
    public long Unanswered { get; init; }

    /// <summary>Gets how many packets came in all.</summary>
    public long Came { get; init; }

    /// <summary>Gets how many of them came from the tail.</summary>
    public long FromTail { get; init; }

    /// <summary>Gets how many are gone, as the main node counted them.</summary>
    public long Lost { get; init; }

    /// <summary>Gets the time from the signal to the exit report, in ms.</summary>
    public double Ms { get; init; }

    /// <summary>Gets which promises were broken.</summary>
    public required IReadOnlyList<string> Broken { get; init; }
}

/// <summary>How a worker is killed.</summary>
internal enum Killing
{
    /// <summary>SIGKILL.</summary>
    Kill,

    /// <summary>SIGKILL before or while it gets its link.</summary>
    KillEarly,

    /// <summary>SIGTERM, which a .NET program that does nothing about it dies of.</summary>
    Terminate,

    /// <summary>SIGSEGV: native code of its own reads where nothing is. (From outside the signal may be taken for a fault of the managed
    /// code that just runs: an exception.)</summary>
    Fault,
}
