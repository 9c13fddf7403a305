using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using Microsoft.Build.Framework;

namespace BuildHarness.Events;

/// <summary>
/// What a field of an event may hold: null, bool, long, double, string, byte[], <see cref="EventMap"/> or an object?[] of these. Nothing
/// else, so that a codec and a hash that know these eight know every event.
/// </summary>
internal static class EventValue
{
    private const int FirstBoxed = -1;
    private static readonly object[] Boxed = MakeBoxes();
    private static readonly object True = true;
    private static readonly object False = false;

    public static object Box(bool value) => value ? True : False;

    /// <summary>A number as an object; the common small ones are made once.</summary>
    public static object Box(long value) => (ulong)(value - FirstBoxed) < (ulong)Boxed.Length ? Boxed[value - FirstBoxed] : value;

    /// <summary>Any value of .NET as one of the eight; what is none of them as its invariant text.</summary>
    public static object? Of(object? value) => value switch
    {
        null => null,
        string text => text,
        bool flag => Box(flag),
        Enum named => Box(Convert.ToInt64(named, CultureInfo.InvariantCulture)),
        sbyte or byte or short or ushort or int or uint or long => Box(Convert.ToInt64(value, CultureInfo.InvariantCulture)),
        float or double => Convert.ToDouble(value, CultureInfo.InvariantCulture),
        byte[] bytes => bytes,
        Guid id => id.ToByteArray(),
        TimeSpan span => Box(span.Ticks),
        DateTime time => new object?[] { Box(time.Ticks), Box((long)time.Kind) },
        BuildEventContext context => EventContext.ValueOf(context),
        IEnumerable<KeyValuePair<string, string>> pairs => EventMap.Of(pairs),
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

    private static object[] MakeBoxes()
    {
        var boxes = new object[1026];
        for (int i = 0; i < boxes.Length; i++)
        {
            boxes[i] = (long)(i + FirstBoxed);
        }

        return boxes;
    }
}
