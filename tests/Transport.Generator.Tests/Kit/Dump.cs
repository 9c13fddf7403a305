using System;
using System.Collections;
using System.Globalization;
using System.Linq;
using System.Reflection;

namespace Transport.Generator.Tests.Kit;

/// <summary>An object as text, with all that it holds, so that two can be compared.</summary>
internal static class Dump
{
    public static string Of(object? value) => value switch
    {
        null => "null",
        string s => "\"" + s + "\"",
        byte[] b => "0x" + Convert.ToHexString(b),
        ReadOnlyMemory<byte> m => "0x" + Convert.ToHexString(m.Span),
        double d => "d" + BitConverter.DoubleToInt64Bits(d).ToString("x", CultureInfo.InvariantCulture),
        float f => "f" + BitConverter.SingleToInt32Bits(f).ToString("x", CultureInfo.InvariantCulture),
        decimal m => "m" + string.Join(",", decimal.GetBits(m)),
        DateTime t => $"{t.Ticks} {t.Kind}",
        DateTimeOffset t => $"{t.Ticks} {t.Offset}",
        IFormattable f => f.ToString(null, CultureInfo.InvariantCulture),
        bool b => b ? "true" : "false",
        IEnumerable items => "[" + string.Join(", ", items.Cast<object?>().Select(Of)) + "]",
        _ => Members(value),
    };

    private static string Members(object value)
    {
        const BindingFlags Seen = BindingFlags.Public | BindingFlags.Instance;
        Type type = value.GetType();
        return type.Name + "(" + string.Join(", ", type.GetProperties(Seen).Select(p => $"{p.Name}={Of(p.GetValue(value))}")
            .Concat(type.GetFields(Seen).Select(f => $"{f.Name}={Of(f.GetValue(value))}"))) + ")";
    }
}
