using System;
using System.Collections.Generic;
using System.Text;
using Microsoft.Extensions.Logging;

namespace Transport.Logging;

/// <summary>Gathers the properties of one event: those of its state, then those of its scopes. Not for concurrent use; reused from event to
/// event.</summary>
/// <remarks>
/// Names stay unique, because readers in other languages hold properties in a map: the state wins over scopes, an inner scope over an outer
/// one; a name that the state has twice is <c>Name</c> and <c>Name_2</c>. Scopes that have a text (a message, any object that is no list of
/// pairs) make up one property <c>Scope</c>: <c>outer => inner</c>.
/// </remarks>
internal sealed class PropertyCollector
{
    internal const string OriginalFormat = "{OriginalFormat}";
    internal const string ScopeName = "Scope";
    private const int MostKept = 256;

    private readonly List<LogProperty> _properties = new();
    private readonly StringBuilder _scopeText = new();
    private int _ofState;
    private bool _inScopes;

    public IReadOnlyList<LogProperty> Collect<TState>(TState state, IExternalScopeProvider? scopes)
    {
        _ofState = 0;
        _inScopes = false;
        TryAdd(state);
        _ofState = _properties.Count;
        _inScopes = true;
        scopes?.ForEachScope(static (scope, collector) => collector.AddScope(scope), this);
        if (_scopeText.Length > 0)
        {
            Set(ScopeName, _scopeText.ToString());
        }

        LogProperty[] all = _properties.Count == 0 ? [] : _properties.ToArray();
        _properties.Clear();
        _scopeText.Clear();
        if (_properties.Capacity > MostKept)
        {
            _properties.Capacity = MostKept;
        }

        return all;
    }

    private void AddScope(object? scope)
    {
        if (TryAdd(scope) && scope is not null)
        {
            _scopeText.Append(_scopeText.Length == 0 ? string.Empty : " => ").Append(InvariantText.OwnOf(scope));
        }
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
        if (pair.Key is not null && (!_inScopes || pair.Key != OriginalFormat))
        {
            Set(pair.Key, LogValue.From(pair.Value));
        }
    }

    private void Set(string name, LogValue value)
    {
        int at = Find(name);
        if (at >= 0 && _inScopes)
        {
            if (at >= _ofState)
            {
                _properties[at] = new LogProperty(name, value);
            }

            return;
        }

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
