using System;
using Transport.Journal;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>What a fault of a journal means to the commands that look at one.</summary>
internal static class JournalFaults
{
    /// <summary>Makes a sentence and an exit code of a fault.</summary>
    /// <param name="directory">The journal's directory, which the sentence names.</param>
    /// <param name="fault">The fault.</param>
    /// <returns>What to throw.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public static ToolException Of(string directory, JournalException fault)
    {
        ArgumentNullException.ThrowIfNull(directory);
        ArgumentNullException.ThrowIfNull(fault);
        int exitCode = fault.Fault switch
        {
            JournalFault.NotAJournal or JournalFault.Compacted => ToolExitCodes.BadUsage,
            JournalFault.Damaged => ToolExitCodes.Invalid,
            _ => ToolExitCodes.Fault,
        };
        return new ToolException(
            fault.Message.Contains(directory, StringComparison.Ordinal) ? fault.Message : $"{directory}: {fault.Message}", exitCode);
    }
}
