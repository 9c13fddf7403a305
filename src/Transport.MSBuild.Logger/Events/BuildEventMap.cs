using System;
using System.Collections.Generic;

namespace Transport.MSBuild;

/// <summary>Names and texts in their order, doubles included: properties, metadata, environment. Immutable.</summary>
public sealed class BuildEventMap
{
    private readonly KeyValuePair<string, string?>[] _entries;

    /// <summary>Initializes a new instance of the <see cref="BuildEventMap"/> class.</summary>
    /// <param name="entries">The names with their texts; copied.</param>
    /// <exception cref="ArgumentNullException"><paramref name="entries"/> is null.</exception>
    public BuildEventMap(IEnumerable<KeyValuePair<string, string?>> entries)
        : this([.. entries ?? throw new ArgumentNullException(nameof(entries))])
    {
    }

    internal BuildEventMap(KeyValuePair<string, string?>[] entries) => _entries = entries;

    /// <summary>Gets how many names there are.</summary>
    public int Count => _entries.Length;

    /// <summary>Gets the names with their texts.</summary>
    public ReadOnlySpan<KeyValuePair<string, string?>> Entries => _entries;

    internal static BuildEventMap? Of(IEnumerable<KeyValuePair<string, string>>? pairs) => pairs is null ? null : new(pairs!);
}
