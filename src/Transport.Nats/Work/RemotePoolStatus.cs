namespace Transport.Nats;

/// <summary>How a <see cref="RemotePool"/> stands at one moment. Immutable.</summary>
/// <param name="Waiting">The requests that no agent has begun.</param>
/// <param name="Running">The requests that an agent has begun.</param>
/// <param name="Completed">The requests that ended with a response.</param>
/// <param name="Failed">The requests that ended otherwise: failed, cancelled, too late.</param>
/// <param name="Retried">How often a request was begun once more, because the agent before had given no sign.</param>
/// <param name="LateResponses">Responses to requests that had one, or were given up, before; they were dropped.</param>
/// <param name="Problem">Why the server cannot be used; null if it can.</param>
public sealed record RemotePoolStatus(
    int Waiting, int Running, long Completed, long Failed, long Retried, long LateResponses, string? Problem);
