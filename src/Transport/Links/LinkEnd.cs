using System;

namespace Transport;

/// <summary>How a link ended: the first cause, and what had gone over it by then. Immutable.</summary>
public sealed class LinkEnd
{
    internal LinkEnd(TransportFault fault, string reason, Exception? cause, LinkReceipt receipt)
    {
        Fault = fault;
        Reason = reason;
        Cause = cause;
        Receipt = receipt;
    }

    /// <summary>Gets the fault; <see cref="TransportFault.None"/> for a clean end (Goodbye and Ack in both directions).</summary>
    public TransportFault Fault { get; }

    /// <summary>Gets one sentence for a person; for a clean end the reason that the side which closed gave, often empty.</summary>
    public string Reason { get; }

    /// <summary>Gets the exception underneath, or null.</summary>
    public Exception? Cause { get; }

    /// <summary>Gets the counts of packets: sent, received, acknowledged, dropped.</summary>
    public LinkReceipt Receipt { get; }

    /// <summary>Gets a value indicating whether the end was clean.</summary>
    public bool IsClean => Fault == TransportFault.None;

    /// <summary>
    /// Returns the end on one line, fit for a terminal: what the peer said is escaped, and cut if it is long. <see cref="Reason"/> has it
    /// as it came.
    /// </summary>
    /// <returns><c>clean</c>, or fault and reason.</returns>
    public override string ToString() => IsClean ? "clean" : TerminalText.Line($"{Fault}: {Reason}");
}
