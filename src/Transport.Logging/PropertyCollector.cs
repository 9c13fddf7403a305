using System;
using System.Collections.Generic;
using Microsoft.Extensions.Logging;

namespace Transport.Logging;

/// <summary>Gathers the properties of one event and its scopes. Not for concurrent use; reused from event to event.</summary>
/// <remarks>Names are unique within the event and within each scope, because readers in other languages hold properties in a map: a name
/// that stands there twice is <c>Name</c> and <c>Name_2</c>. A scope that has a text (a message, any object that is no list of pairs) has
/// it too.</remarks>
internal sealed class PropertyCollector
{
    internal const string OriginalFormat = "{OriginalFormat}";
    private const int MostKept = 256;

    private readonly List<LogProperty> _properties = new();
    private readonly List<LogScope> _scopes = new();

    /// <summary>Returns the properties of a state.</summary>
    public IReadOnlyList<LogProperty> Collect<TState>(TState state)
    {
        _ = TryAdd(state);
        return Take();
    }

    /// <summary>Returns the open scopes, the outermost first.</summary>
    public IReadOnlyList<LogScope> CollectScopes(IExternalScopeProvider? scopes)
    {
        scopes?.ForEachScope(static (scope, collector) => collector.AddScope(scope), this);
        LogScope[] all = _scopes.Count == 0 ? [] : _scopes.ToArray();
        _scopes.Clear();
        return all;
    }

    private void AddScope(object? scope)
    {
        if (scope is not null)
        {
            bool hasText = TryAdd(scope);
            _scopes.Add(new LogScope(hasText ? InvariantText.OwnOf(scope) : null, Take()));
        }
    }

    private LogProperty[] Take()
    {
        LogProperty[] all = _properties.Count == 0 ? [] : _properties.ToArray();
        _properties.Clear();
        if (_properties.Capacity > MostKept)
        {
            _properties.Capacity = MostKept;
        }

        return all;
    }

    private bool TryAdd(object? state)
    {
        try
        {
            return Add(state);
        }
        catch (Exception e)
        {
            // The caller's own list: what it gave until it failed is kept, and the failure is reported where it will be read.
            Set("PropertiesFailed", e.GetType().Name);
            return false;
        }
    }

    // Answers whether the object has a text of its own.
    private bool Add(object? state)
    {
        switch (state)
        {
            case IReadOnlyList<KeyValuePair<string, object?>> list:
                bool formatted = false;
                for (int i = 0; i < list.Count; i++)
                {
                    // Each by itself: a template with too few arguments throws at the first that is missing, and its text comes last.
                    if (TryGet(list, i, out KeyValuePair<string, object?> pair))
                    {
                        formatted |= pair.Key == OriginalFormat;
                        SetOf(pair);
                    }
                }

                return formatted;

            case IEnumerable<KeyValuePair<string, object?>> pairs:
                foreach (KeyValuePair<string, object?> pair in pairs)
                {
                    SetOf(pair);
                }

                return false;

            default:
                return state is not null;
        }
    }

    private bool TryGet(
        IReadOnlyList<KeyValuePair<string, object?>> list, int index, out KeyValuePair<string, object?> pair)
    {
        try
        {
            pair = list[index];
            return true;
        }
        catch (Exception e)
        {
            Set("PropertiesFailed", e.GetType().Name);
            pair = default;
            return false;
        }
    }

    private void SetOf(KeyValuePair<string, object?> pair)
    {
        if (pair.Key is not null)
        {
            Set(pair.Key, LogValue.From(pair.Value));
        }
    }

    private void Set(string name, LogValue value)
    {
        int at = Find(name);

        // A template may name a property twice, with two values.
        string free = name;
        for (int number = 2; at >= 0; number++)
        {
            free = $"{name}_{number}";
            at = Find(free);
        }

        _properties.Add(new LogProperty(free, value));
    }

    private int Find(string name)
    {
        for (int i = 0; i < _properties.Count; i++)
        {
            if (string.Equals(_properties[i].Name, name, StringComparison.Ordinal))
            {
                return i;
            }
        }

        return -1;
    }
}
