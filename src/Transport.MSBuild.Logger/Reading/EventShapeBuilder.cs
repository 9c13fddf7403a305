using System;
using System.Collections;
using System.Collections.Generic;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>Collects what reads the fields of a kind, each by its name.</summary>
/// <typeparam name="T">MSBuild's type of the event.</typeparam>
internal sealed class EventShapeBuilder<T>
    where T : BuildEventArgs
{
    private readonly Dictionary<string, Func<BuildEventArgs, EventItems, object?>> _readers = new(StringComparer.Ordinal);

    public EventShapeBuilder<T> Number(string name, Func<T, long> read) => Value(name, args => EventBoxes.Of(read(args)));

    public EventShapeBuilder<T> Flag(string name, Func<T, bool> read) => Value(name, args => EventBoxes.Of(read(args)));

    public EventShapeBuilder<T> Text(string name, Func<T, string?> read) => Value(name, read);

    public EventShapeBuilder<T> Value(string name, Func<T, object?> read) => Add(name, (args, _) => read(args));

    public EventShapeBuilder<T> Properties(string name, Func<T, IEnumerable?> read) =>
        Add(name, (args, items) => items.Properties(read(args)));

    public EventShapeBuilder<T> Items(string name, Func<T, IEnumerable?> read) => Add(name, (args, items) => items.Items(read(args)));

    /// <exception cref="InvalidOperationException">The kind has other fields than were collected.</exception>
    public EventShape Build(BuildEventKind kind)
    {
        EventFields fields = EventFields.Of(kind);
        var readers = new Func<BuildEventArgs, EventItems, object?>[fields.Names.Count];
        for (int i = 0; i < readers.Length; i++)
        {
            string name = fields.Names[i];
            if (!_readers.TryGetValue(name, out Func<BuildEventArgs, EventItems, object?>? reader))
            {
                throw new InvalidOperationException($"{kind}: nothing reads its field {name}.");
            }

            _readers.Remove(name);
            object? usual = fields.Usual[i];

            // An older MSBuild has the type but not all of its members; code that names one of those cannot be compiled.
            readers[i] = typeof(T).GetMember(name).Length > 0 ? reader : (_, _) => usual;
        }

        return _readers.Count == 0 ? new EventShape(fields, typeof(T), readers)
            : throw new InvalidOperationException($"{kind} has no field {string.Join(", ", _readers.Keys)}.");
    }

    private EventShapeBuilder<T> Add(string name, Func<T, EventItems, object?> read)
    {
        _readers.Add(name, (args, items) => read((T)args, items));
        return this;
    }
}
