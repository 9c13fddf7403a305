namespace Transport;

/// <summary>Reports a connection that got no Welcome. Immutable.</summary>
public sealed record RefusedConnection
{
    /// <summary>Gets the code of the Reject that answered it (identity, malformed, secret, protocol, version, busy), or the name of the
    /// fault that ended it without an answer.</summary>
    public string Code { get; init; } = string.Empty;

    /// <summary>Gets one sentence with the expected and the actual value.</summary>
    public string Message { get; init; } = string.Empty;

    /// <summary>Gets the peer's identity as the kernel recorded it.</summary>
    public PeerIdentity Identity { get; init; } = new();

    /// <summary>Gets the ticket whose secret it showed; null if it showed none.</summary>
    internal LinkTicket? Ticket { get; init; }

    /// <summary>Returns all of it on one line, fit for a terminal: escaped, and cut if it is long.</summary>
    /// <returns>Code, message and identity.</returns>
    public override string ToString() => TerminalText.Line($"{Code}: {Message} ({Identity})");
}
