namespace Transport.Nats;

/// <summary>How a <see cref="WorkAgent"/> stands at one moment. Immutable.</summary>
/// <param name="Running">The requests in work.</param>
/// <param name="Completed">The requests whose response a caller has taken.</param>
/// <param name="Failed">The requests whose failure a caller has taken.</param>
/// <param name="Unwanted">The requests that were cancelled, or whose caller was gone.</param>
/// <param name="Problem">Why the server cannot be used; null if it can.</param>
public sealed record AgentStatus(int Running, long Completed, long Failed, long Unwanted, string? Problem);
