using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using Microsoft.Build.Framework;

namespace Transport.MSBuild;

/// <summary>
/// Makes of any value what a field of an event may hold: null, bool, long, double, string, byte[], <see cref="BuildEventMap"/> or an
/// object?[] of these. Nothing else, so that a codec and a hash that know these eight know every event.
/// </summary>
internal static class EventValues
{
    /// <summary>Any value of .NET as one of the eight; what is none of them as its invariant text.</summary>
    public static object? Of(object? value) => value switch
    {
        null => null,
        string text => text,
        bool flag => EventBoxes.Of(flag),
        Enum named => EventBoxes.Of(Convert.ToInt64(named, CultureInfo.InvariantCulture)),
        sbyte or byte or short or ushort or int or uint or long => EventBoxes.Of(Convert.ToInt64(value, CultureInfo.InvariantCulture)),
        float or double => Convert.ToDouble(value, CultureInfo.InvariantCulture),
        byte[] bytes => bytes,
        Guid id => id.ToByteArray(),
        TimeSpan span => EventBoxes.Of(span.Ticks),
        DateTime time => new object?[] { EventBoxes.Of(time.Ticks), EventBoxes.Of((long)time.Kind) },
        BuildEventContext context => EventIds.ValueOf(context),
        IEnumerable<KeyValuePair<string, string>> pairs => BuildEventMap.Of(pairs),
        ITaskItem item => EventItems.Of(type: null, item),
        IEnumerable sequence => List(sequence),
        _ => Convert.ToString(value, CultureInfo.InvariantCulture),
    };

    public static object?[] List(IEnumerable sequence)
    {
        var values = new List<object?>();
        foreach (object? value in sequence)
        {
            values.Add(Of(value));
        }

        return [.. values];
    }
}
