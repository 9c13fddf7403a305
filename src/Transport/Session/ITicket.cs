namespace Transport;

/// <summary>The right to one connection, as a handshake sees it. Safe from any thread.</summary>
internal interface ITicket
{
    /// <summary>Gets the listener's name for the node.</summary>
    string Node { get; }

    /// <summary>Takes the ticket for a connection that has shown its secret.</summary>
    /// <returns>False if another connection has it: a secret is good once.</returns>
    bool TryClaim();

    /// <summary>The connection failed, at the latest at its Welcome: the secret is good again.</summary>
    /// <param name="spent">Whether its <see cref="TrySpend"/> succeeded: in any other state the ticket may be another connection's.</param>
    void Unclaim(bool spent);

    /// <summary>Welcome is about to be written: a peer that reads it has a link, so from here on the ticket cannot be withdrawn.</summary>
    /// <returns>False if the ticket was withdrawn before.</returns>
    bool TrySpend();
}
