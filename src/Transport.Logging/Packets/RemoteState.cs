using System.Collections;
using System.Collections.Generic;

namespace Transport.Logging;

/// <summary>Properties of an event or a scope as loggers expect them: a list of pairs that has a text.</summary>
internal sealed class RemoteState(string? text, IReadOnlyList<LogProperty> properties) : IReadOnlyList<KeyValuePair<string, object?>>
{
    public int Count => properties.Count;

    public KeyValuePair<string, object?> this[int index] => new(properties[index].Name, properties[index].Value.ToObject());

    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator()
    {
        for (int i = 0; i < Count; i++)
        {
            yield return this[i];
        }
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    public override string ToString() => text ?? string.Join(", ", this);
}
