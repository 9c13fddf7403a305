using System;

namespace Transport.Journal;

/// <summary>The one exception of the journal: a fault from the short list, what was expected, what arrived, what to do.</summary>
public sealed class JournalException : Exception
{
    /// <summary>Initializes a new instance of the <see cref="JournalException"/> class.</summary>
    /// <param name="fault">The fault.</param>
    /// <param name="message">One sentence for a person: what was expected, what arrived, what to do.</param>
    /// <param name="cause">The exception underneath, or null.</param>
    public JournalException(JournalFault fault, string message, Exception? cause = null)
        : base(message, cause) => Fault = fault;

    /// <summary>Gets the fault.</summary>
    public JournalFault Fault { get; }

    /// <summary>Gets, for <see cref="JournalFault.Compacted"/>, the oldest position that can still be read; 0 otherwise.</summary>
    public long OldestPosition { get; internal set; }

    /// <summary>The same for another caller: an exception is thrown once.</summary>
    internal JournalException Again() => new(Fault, Message, this) { OldestPosition = OldestPosition };
}
