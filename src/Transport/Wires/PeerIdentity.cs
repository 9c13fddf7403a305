namespace Transport;

/// <summary>Who is at the other end of a wire, as the kernel says it, not as the peer claims.</summary>
/// <param name="UserId">The peer's user id on Unix; null where the system does not tell.</param>
/// <param name="GroupId">The peer's group id on Unix; null where the system does not tell.</param>
/// <param name="ProcessId">The peer's process id; null where the system does not tell.</param>
/// <param name="IsCurrentUser">True where the system says that the peer runs as the same user as this process.</param>
public sealed record PeerIdentity(int? UserId, int? GroupId, int? ProcessId, bool IsCurrentUser);
