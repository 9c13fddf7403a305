using System;
using System.Collections;
using System.Globalization;
using System.Text;

namespace Transport.Logging;

/// <summary>Any object as text that does not depend on the machine's culture, and without ever throwing.</summary>
internal static class InvariantText
{
    // A sequence may have no end; a log event must have one.
    private const int MaxElements = 1000;

    public static string Of(object value)
    {
        try
        {
            return value switch
            {
                DateTime time => time.ToString("O", CultureInfo.InvariantCulture),
                DateTimeOffset time => time.ToString("O", CultureInfo.InvariantCulture),
                IFormattable formattable => formattable.ToString(null, CultureInfo.InvariantCulture) ?? string.Empty,
                IEnumerable sequence => Join(sequence),
                _ => value.ToString() ?? string.Empty,
            };
        }
        catch (Exception e)
        {
            // A caller's ToString that fails must not turn a log call into a crash.
            return Failed(value, e);
        }
    }

    /// <summary>The object's own ToString, whatever it is.</summary>
    public static string OwnOf(object value)
    {
        try
        {
            return value.ToString() ?? string.Empty;
        }
        catch (Exception e)
        {
            return Failed(value, e);
        }
    }

    private static string Failed(object value, Exception e) => $"({value.GetType().Name}.ToString threw {e.GetType().Name})";

    private static string Join(IEnumerable sequence)
    {
        var text = new StringBuilder();
        int count = 0;
        foreach (object? element in sequence)
        {
            if (count++ == MaxElements)
            {
                return text.Append(", ...").ToString();
            }

            text.Append(count == 1 ? string.Empty : ", ").Append(element is null ? "(null)"
                : LogValue.From(element is IEnumerable and not string ? element.ToString() : element).ToString());
        }

        return text.ToString();
    }
}
