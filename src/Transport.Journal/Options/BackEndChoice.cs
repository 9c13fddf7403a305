using System;

namespace Transport.Journal;

/// <summary>Which back end a journal gets, and why.</summary>
internal static class BackEndChoice
{
    public const string Variable = "TRANSPORT_JOURNAL_IO";

    private const string Write = "write";
    private const string Uring = "uring";

    /// <summary>Chooses; if that is uring, what writes by it goes into the options.</summary>
    /// <exception cref="JournalException">
    /// <see cref="JournalFault.BackEndUnavailable"/>: the option asks for what is not to be had.
    /// </exception>
    public static (string Name, string Reason) For(JournalOptions options, string directory)
    {
        string? asked = options.BackEnd == JournalBackEnd.Automatic ? Environment.GetEnvironmentVariable(Variable) : null;
        if (options.Blocks is not null)
        {
            return (Uring, "simulated");
        }

        if (options.BackEnd == JournalBackEnd.Uring)
        {
            return TryUring(options, directory, out string why)
                ? (Uring, "asked for by the option")
                : throw new JournalException(JournalFault.BackEndUnavailable, $"The back end uring was asked for and is not to be had: "
                    + $"{why}. Use write, or Automatic with {Variable}=uring, which falls back.");
        }

        return options.BackEnd == JournalBackEnd.Write ? (Write, "asked for by the option")
            : string.IsNullOrEmpty(asked) ? (Write, "the default")
            : string.Equals(asked, Write, StringComparison.OrdinalIgnoreCase) ? (Write, $"asked for by {Variable}")
            : !string.Equals(asked, Uring, StringComparison.OrdinalIgnoreCase)
                ? (Write, $"{Variable} has a value that is not known: \"{asked}\"; write and uring are")
            : TryUring(options, directory, out string reason) ? (Uring, $"asked for by {Variable}")
            : (Write, $"{Variable} asks for uring: {reason}");
    }

    private static bool TryUring(JournalOptions options, string directory, out string reason)
    {
        if (options.Sync is not (JournalSync.GroupCommit or JournalSync.Always))
        {
            reason = $"it makes each commit durable, and {options.Sync} does not ask for that";
            return false;
        }

        if (options.Store is not null)
        {
            reason = "the disk is a simulated one";
            return false;
        }

        int bufferBytes = (int)Block.Up(options.BatchBytes + (2 * Block.Bytes));
        options.Blocks = RingWriter.TryMake(directory, options.CommitsInFlight, bufferBytes, out reason);
        return options.Blocks is not null;
    }
}
