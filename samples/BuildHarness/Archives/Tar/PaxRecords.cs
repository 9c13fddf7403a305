using System;
using System.Text;
using Transport.Files;

namespace BuildHarness.Archives.Tar;

/// <summary>The records of a pax header: <c>LENGTH KEY=VALUE\n</c>, the length in decimal and of the whole record (POSIX.1-2001,
/// pax).</summary>
internal static class PaxRecords
{
    /// <summary>Takes one record off the front.</summary>
    /// <returns>False if it is none.</returns>
    public static bool TryTake(ref ReadOnlySpan<byte> records, out string key, out ReadOnlySpan<byte> value)
    {
        key = string.Empty;
        value = default;
        int space = records.IndexOf((byte)' ');
        if (space is < 1 or > 9 || !TarNumber.TryReadDecimal(records[..space], out long length) || length <= space + 1
            || length > records.Length)
        {
            return false;
        }

        ReadOnlySpan<byte> record = records[(space + 1)..(int)length];
        int equals = record.IndexOf((byte)'=');
        if (equals < 1 || record[^1] != (byte)'\n')
        {
            return false;
        }

        key = Encoding.UTF8.GetString(record[..equals]);
        value = record[(equals + 1)..^1];
        records = records[(int)length..];
        return true;
    }

    /// <summary>Seconds since 1970 with a fraction, maybe negative; digits behind the ninth are cut off, towards the earlier.</summary>
    public static bool TryReadTime(ReadOnlySpan<byte> text, out FileTime time)
    {
        time = default;
        bool negative = text is [(byte)'-', ..];
        text = negative ? text[1..] : text;
        int point = text.IndexOf((byte)'.');
        ReadOnlySpan<byte> fraction = point < 0 ? default : text[(point + 1)..];
        if (!TarNumber.TryReadDecimal(point < 0 ? text : text[..point], out long seconds)
            || fraction.IndexOfAnyExceptInRange((byte)'0', (byte)'9') >= 0)
        {
            return false;
        }

        int nanoseconds = 0;
        for (int i = 0; i < 9; i++)
        {
            nanoseconds = (nanoseconds * 10) + (i < fraction.Length ? fraction[i] - '0' : 0);
        }

        if (negative)
        {
            bool more = fraction.Length > 9 && fraction[9..].IndexOfAnyExcept((byte)'0') >= 0;
            nanoseconds += more ? 1 : 0;
            seconds = -seconds - (nanoseconds > 0 ? 1 : 0);
            nanoseconds = nanoseconds is 0 or 1_000_000_000 ? 0 : 1_000_000_000 - nanoseconds;
        }

        time = new FileTime(seconds, nanoseconds);
        return true;
    }
}
