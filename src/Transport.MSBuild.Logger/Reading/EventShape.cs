using System;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>How the fields of one kind of event are read from MSBuild's object. Immutable.</summary>
/// <param name="fields">The fields.</param>
/// <param name="type">MSBuild's type of the event.</param>
/// <param name="readers">Reads each field, in their order.</param>
internal sealed class EventShape(EventFields fields, Type type, Func<BuildEventArgs, EventItems, object?>[] readers)
{
    public BuildEventKind Kind => fields.Kind;

    public Type Type => type;

    public object?[] Read(BuildEventArgs args, EventItems items)
    {
        var values = new object?[readers.Length];
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = readers[i](args, items);
        }

        return values;
    }
}
