using System;

namespace Transport.Journal.Storing;

/// <summary>Which back end a journal gets, and why.</summary>
internal static class BackEndChoice
{
    public const string Variable = "TRANSPORT_JOURNAL_IO";

    private const string Write = "write";
    private const string Uring = "uring";

    public static (string Name, string Reason) For(JournalOptions options)
    {
        string? asked = options.BackEnd == JournalBackEnd.Automatic ? Environment.GetEnvironmentVariable(Variable) : null;
        if (options.BackEnd == JournalBackEnd.Uring)
        {
            throw new JournalException(JournalFault.BackEndUnavailable, "The back end uring is not built yet. Use write.");
        }

        return options.BackEnd == JournalBackEnd.Write ? (Write, "asked for by the option")
            : string.IsNullOrEmpty(asked) ? (Write, "the default")
            : string.Equals(asked, Write, StringComparison.OrdinalIgnoreCase) ? (Write, $"asked for by {Variable}")
            : string.Equals(asked, Uring, StringComparison.OrdinalIgnoreCase) ? (Write, $"{Variable} asks for uring, which is not built yet")
            : (Write, $"{Variable} has a value that is not known: \"{asked}\"; write and uring are");
    }
}
