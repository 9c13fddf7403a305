using System;

namespace BuildHarness.Replay;

/// <summary>A binary log that is none, or is cut off or damaged.</summary>
/// <param name="cause">What reading it threw.</param>
internal sealed class UnreadableException(Exception cause) : Exception(OneSentence(cause), cause)
{
    // Of a damaged archive the cause is inside; some messages go on with a stack trace.
    private static string OneSentence(Exception cause)
    {
        string sentence = cause.Message.ReplaceLineEndings("\n").Split('\n')[0].TrimEnd();
        return sentence.Length > 0 ? sentence : cause.GetType().Name;
    }
}
