using System;
using System.Collections.Generic;
using System.Linq;
using BuildHarness.Packets;

namespace BuildHarness.Commands;

/// <summary>Of which warnings MSBuild makes errors or messages. Null: the switch was not given; empty: all warnings. Immutable.</summary>
internal sealed record WarningSeverities
{
    private static readonly StringComparer Codes = StringComparer.OrdinalIgnoreCase;

    /// <summary>Gets the codes of <c>-warnaserror</c>.</summary>
    public IReadOnlyList<string>? AsErrors { get; init; }

    /// <summary>Gets the codes of <c>-warnnotaserror</c>.</summary>
    public IReadOnlyList<string>? NotAsErrors { get; init; }

    /// <summary>Gets the codes of <c>-warnasmessage</c>.</summary>
    public IReadOnlyList<string>? AsMessages { get; init; }

    /// <summary>Gets them as switches.</summary>
    public IEnumerable<string> Switches => new[]
    {
        Switch("warnaserror", AsErrors), Switch("warnnotaserror", NotAsErrors), Switch("warnasmessage", AsMessages),
    }.OfType<string>();

    /// <summary>Gets what a worker is told.</summary>
    public StartSession Packet => new(AsErrors, NotAsErrors, AsMessages);

    /// <summary>Adds others.</summary>
    public WarningSeverities With(WarningSeverities more) => new()
    {
        AsErrors = Both(AsErrors, more.AsErrors),
        NotAsErrors = Both(NotAsErrors, more.NotAsErrors),
        AsMessages = Both(AsMessages, more.AsMessages),
    };

    private static string? Switch(string name, IReadOnlyList<string>? codes) => codes is null ? null
        : codes.Count == 0 ? "-" + name : $"-{name}:{string.Join(';', codes)}";

    private static IReadOnlyList<string>? Both(IReadOnlyList<string>? one, IReadOnlyList<string>? other) =>
        one is null ? other : other is null ? one : one.Count == 0 || other.Count == 0 ? [] : [.. one.Union(other, Codes)];
}
