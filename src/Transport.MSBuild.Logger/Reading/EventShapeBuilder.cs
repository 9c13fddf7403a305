using System;
using System.Collections.Generic;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>Collects what reads the fields of a kind, each by its name.</summary>
/// <typeparam name="T">MSBuild's type of the event.</typeparam>
internal sealed class EventShapeBuilder<T>
    where T : BuildEventArgs
{
    private readonly Dictionary<string, Func<BuildEventArgs, object?>> _readers = new(StringComparer.Ordinal);

    public EventShapeBuilder<T> Number(string name, Func<T, long> read) => Value(name, args => EventBoxes.Of(read(args)));

    public EventShapeBuilder<T> Flag(string name, Func<T, bool> read) => Value(name, args => EventBoxes.Of(read(args)));

    public EventShapeBuilder<T> Text(string name, Func<T, string?> read) => Value(name, read);

    public EventShapeBuilder<T> Value(string name, Func<T, object?> read)
    {
        _readers.Add(name, args => read((T)args));
        return this;
    }

    /// <exception cref="InvalidOperationException">The kind has other fields than were collected.</exception>
    public EventShape Build(BuildEventKind kind)
    {
        EventFields fields = EventFields.Of(kind);
        var readers = new Func<BuildEventArgs, object?>[fields.Names.Count];
        for (int i = 0; i < readers.Length; i++)
        {
            if (!_readers.Remove(fields.Names[i], out readers[i]!))
            {
                throw new InvalidOperationException($"{kind}: nothing reads its field {fields.Names[i]}.");
            }
        }

        return _readers.Count == 0 ? new EventShape(fields, typeof(T), readers)
            : throw new InvalidOperationException($"{kind} has no field {string.Join(", ", _readers.Keys)}.");
    }
}
