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
    /// <summary>How deep lists within lists may be, and how many values one property may have in all. A task may raise events of its own
    /// class; a sequence of it that never ends must not hang the build.</summary>
    private const int MostDepth = 32, MostValues = 1 << 20;

    private const string Cut = "… (cut)";

    /// <summary>Any value of .NET as one of the eight; what is none of them as its invariant text. What is too deep or too long is cut, and
    /// says so.</summary>
    public static object? Of(object? value)
    {
        int left = MostValues;
        return Of(value, MostDepth, ref left);
    }

    private static object? Of(object? value, int depth, ref int left) => value switch
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
        IEnumerable<KeyValuePair<string, string>> pairs => BuildEventMap.Of(Bounded(pairs)),
        ITaskItem item => EventItems.Of(type: null, item),
        IEnumerable sequence => depth == 0 ? Cut : List(sequence, depth - 1, ref left),
        _ => Convert.ToString(value, CultureInfo.InvariantCulture),
    };

    private static object?[] List(IEnumerable sequence, int depth, ref int left)
    {
        var values = new List<object?>();
        foreach (object? value in sequence)
        {
            if (--left < 0)
            {
                values.Add(Cut);
                break;
            }

            values.Add(Of(value, depth, ref left));
        }

        return [.. values];
    }

    private static IEnumerable<KeyValuePair<string, string>> Bounded(IEnumerable<KeyValuePair<string, string>> pairs)
    {
        int left = MostValues;
        foreach (KeyValuePair<string, string> pair in pairs)
        {
            if (--left < 0)
            {
                yield return new KeyValuePair<string, string>(Cut, string.Empty);
                yield break;
            }

            yield return pair;
        }
    }
}
