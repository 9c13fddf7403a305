using System.Globalization;

namespace Transport;

/// <summary>Who is at the other end of a wire, as the kernel says it, not as the peer claims. Immutable.</summary>
public sealed record PeerIdentity
{
    /// <summary>Gets the peer's user id on Unix; null if the system does not report.</summary>
    public int? UserId { get; init; }

    /// <summary>Gets the peer's group id on Unix; null if the system does not report.</summary>
    public int? GroupId { get; init; }

    /// <summary>Gets the peer's process id; null if the system does not report.</summary>
    public int? ProcessId { get; init; }

    /// <summary>Gets a value indicating whether the system says that the peer runs as the same user as this process.</summary>
    public bool IsCurrentUser { get; init; }

    /// <summary>Gets a value indicating whether the peer is known by inherited pipes alone (<see cref="WireKind.Inherited"/>): the system
    /// names nobody. At the main node <see cref="ProcessId"/> is then the process that was started with them; one that it has started may
    /// speak in its place.</summary>
    public bool IsInherited { get; init; }

    /// <summary>Returns what is known, for a person.</summary>
    /// <returns>For example <c>pid 4711 of user 1000</c>, or <c>unknown</c>.</returns>
    public override string ToString()
    {
        string? user = UserId is { } id ? string.Format(CultureInfo.InvariantCulture, "user {0}", id) : IsCurrentUser ? "this user" : null;
        string? process = ProcessId is { } number ? string.Format(CultureInfo.InvariantCulture, "pid {0}", number) : null;
        if (IsInherited)
        {
            return process is null ? "who has started this process" : $"{process}, by its pipes";
        }

        return process is null ? user ?? "unknown" : user is null ? process : $"{process} of {user}";
    }
}
