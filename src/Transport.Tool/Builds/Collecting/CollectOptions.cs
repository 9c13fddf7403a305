using System.Collections.Generic;

namespace Transport.Tool;

/// <summary>What <c>collect</c> is to do.</summary>
internal sealed record CollectOptions
{
    public required IReadOnlyList<string> Command { get; init; }

    /// <summary>Gets the journal's folder; null: a new one among this user's last builds.</summary>
    public string? Journal { get; init; }

    /// <summary>Gets a value indicating whether the build is added to a journal that holds others.</summary>
    public bool Appends { get; init; }

    /// <summary>Gets a value indicating whether the build also logs what goes into tasks and comes out of them, and imports.</summary>
    public bool IsDetailed { get; init; }

    /// <summary>Gets a value indicating whether the build fails if its events do not arrive.</summary>
    public bool IsRequired { get; init; }

    /// <summary>Gets a value indicating whether secrets are masked.</summary>
    public bool IsMasking { get; init; } = true;

    /// <summary>Gets further names of secrets.</summary>
    public IReadOnlyList<string> Secrets { get; init; } = [];

    /// <summary>Gets names that are none.</summary>
    public IReadOnlyList<string> Public { get; init; } = [];
}
