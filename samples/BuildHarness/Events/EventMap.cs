using System;
using System.Collections.Generic;

namespace BuildHarness.Events;

/// <summary>Names and texts in their order, doubles included: properties, metadata, environment. Immutable.</summary>
internal sealed class EventMap(KeyValuePair<string, string?>[] entries)
{
    private readonly KeyValuePair<string, string?>[] _entries = entries;

    public int Count => _entries.Length;

    public ReadOnlySpan<KeyValuePair<string, string?>> Entries => _entries;

    public static EventMap? Of(IEnumerable<KeyValuePair<string, string>>? pairs)
    {
        if (pairs is null)
        {
            return null;
        }

        var entries = new List<KeyValuePair<string, string?>>();
        foreach ((string name, string value) in pairs)
        {
            entries.Add(new(name, value));
        }

        return new EventMap([.. entries]);
    }
}
