using System;
using System.Collections.Generic;
using Microsoft.Build.Framework;

namespace BuildHarness.Events;

/// <summary>The fields of one kind of event, in their order on the wire, and how each is read from MSBuild's object. Immutable.</summary>
internal sealed class EventShape
{
    private const string Importance = "Importance";

    /// <summary>How many fields all messages have between their importance and their own: where in which file, mostly nothing.</summary>
    private const int Whereabouts = 8;

    private readonly string[] _names;
    private readonly object?[] _usual;
    private readonly int[] _order;
    private readonly Func<BuildEventArgs, object?>[] _readers;

    public EventShape(EventKind kind, Type type, IReadOnlyList<EventField> fields)
    {
        Kind = kind;
        Type = type;
        _names = new string[fields.Count];
        _readers = new Func<BuildEventArgs, object?>[fields.Count];
        _usual = new object?[fields.Count];
        _order = new int[fields.Count];
        for (int i = 0; i < fields.Count; i++)
        {
            (_names[i], _usual[i], _readers[i]) = fields[i];
            _order[i] = _names[0] != Importance || i == 0 ? i : i + Whereabouts < fields.Count ? i + Whereabouts : i
                + Whereabouts - fields.Count + 1;
        }
    }

    public EventKind Kind { get; }

    public Type Type { get; }

    public IReadOnlyList<string> Fields => _names;

    /// <summary>Gets what each field mostly is, so that it need not travel: nothing, 0, false.</summary>
    public ReadOnlySpan<object?> Usual => _usual;

    /// <summary>Gets the numbers of the fields in the order in which they travel: a message's own before the eight that say where, which
    /// are mostly as usual.</summary>
    public ReadOnlySpan<int> Order => _order;

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

/// <summary>One field of a shape.</summary>
/// <param name="Name">Its name, as MSBuild names it.</param>
/// <param name="Usual">What it mostly is.</param>
/// <param name="Read">Reads it from MSBuild's object.</param>
internal readonly record struct EventField(string Name, object? Usual, Func<BuildEventArgs, object?> Read);

/// <summary>Collects the fields of a shape.</summary>
/// <typeparam name="T">MSBuild's type of the event.</typeparam>
internal sealed class EventShapeBuilder<T>
    where T : BuildEventArgs
{
    private readonly List<EventField> _fields = [];

    public EventShapeBuilder<T> Text(string name, Func<T, string?> read) => Value(name, read);

    public EventShapeBuilder<T> Number(string name, Func<T, long> read) => Add(name, EventValue.Box(0), e => EventValue.Box(read(e)));

    public EventShapeBuilder<T> Flag(string name, Func<T, bool> read) => Add(name, EventValue.Box(false), e => EventValue.Box(read(e)));

    public EventShapeBuilder<T> Value(string name, Func<T, object?> read) => Add(name, usual: null, read);

    private EventShapeBuilder<T> Add(string name, object? usual, Func<T, object?> read)
    {
        _fields.Add(new(name, usual, args => read((T)args)));
        return this;
    }

    public EventShape Build(EventKind kind) => new(kind, typeof(T), _fields);
}
