namespace Transport;

/// <summary>A connection that never got Welcome. Immutable.</summary>
/// <param name="Code">The word of Reject (identity, malformed, secret, protocol, version, busy), or the name of the fault that ended it without an answer.</param>
/// <param name="Message">A sentence: what was expected, what came.</param>
/// <param name="Identity">Who it was, as the kernel says.</param>
public sealed record RefusedConnection(string Code, string Message, PeerIdentity Identity)
{
    /// <summary>Gets the ticket whose secret it showed; null if it showed none.</summary>
    internal LinkTicket? Ticket { get; init; }

    /// <summary>Returns all of it on one line, fit for a terminal: escaped, and cut if it is long.</summary>
    /// <returns>Code, message and identity.</returns>
    public override string ToString() => TerminalText.Line($"{Code}: {Message} ({Identity})");
}
