using System;
using System.Collections.Generic;
using Microsoft.Build.Framework;

namespace BuildHarness.Events;

/// <summary>The fields of one kind of event, in their order on the wire, and how each is read from MSBuild's object. Immutable.</summary>
internal sealed class EventShape
{
    private readonly string[] _names;
    private readonly Func<BuildEventArgs, object?>[] _readers;

    public EventShape(EventKind kind, Type type, IReadOnlyList<KeyValuePair<string, Func<BuildEventArgs, object?>>> fields)
    {
        Kind = kind;
        Type = type;
        _names = new string[fields.Count];
        _readers = new Func<BuildEventArgs, object?>[fields.Count];
        for (int i = 0; i < fields.Count; i++)
        {
            (_names[i], _readers[i]) = fields[i];
        }
    }

    public EventKind Kind { get; }

    public Type Type { get; }

    public IReadOnlyList<string> Fields => _names;

    public int IndexOf(string field) => Array.IndexOf(_names, field);

    public object?[] Read(BuildEventArgs args)
    {
        var values = new object?[_readers.Length];
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = _readers[i](args);
        }

        return values;
    }
}

/// <summary>Collects the fields of a shape.</summary>
/// <typeparam name="T">MSBuild's type of the event.</typeparam>
internal sealed class EventShapeBuilder<T>
    where T : BuildEventArgs
{
    private readonly List<KeyValuePair<string, Func<BuildEventArgs, object?>>> _fields = [];

    public EventShapeBuilder<T> Text(string name, Func<T, string?> read) => Value(name, read);

    public EventShapeBuilder<T> Number(string name, Func<T, long> read) => Value(name, e => EventValue.Box(read(e)));

    public EventShapeBuilder<T> Flag(string name, Func<T, bool> read) => Value(name, e => EventValue.Box(read(e)));

    public EventShapeBuilder<T> Value(string name, Func<T, object?> read)
    {
        _fields.Add(new(name, args => read((T)args)));
        return this;
    }

    public EventShape Build(EventKind kind) => new(kind, typeof(T), _fields);
}
