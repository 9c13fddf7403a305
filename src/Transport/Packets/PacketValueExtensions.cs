using System;
using System.Buffers;
using System.Globalization;

namespace Transport;

/// <summary>Reads and writes values that MessagePack has no form of its own for: some of .NET, and those of another formatter.</summary>
public static class PacketValueExtensions
{
    /// <summary>The offset of a time from UTC, in minutes: .NET allows 14 hours.</summary>
    private const int MaxOffset = 14 * 60;

    /// <summary>Reads an integer of a range.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="min">The smallest valid value.</param>
    /// <param name="max">The largest valid value.</param>
    /// <returns>The value.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the next value is no such integer.</exception>
    public static long ReadInt64(this ref PacketReader reader, long min, long max)
    {
        int at = reader.Consumed;
        long value = reader.ReadInt64();
        return value >= min && value <= max ? value : throw reader.CreateFormatException(
            at,
            $"an integer from {min.ToString(CultureInfo.InvariantCulture)} to {max.ToString(CultureInfo.InvariantCulture)}",
            value.ToString(CultureInfo.InvariantCulture));
    }

    /// <summary>Reads a URI: a string, absolute or relative.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The URI. A text that begins with a slash is relative on every system.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the next value is no such string.</exception>
    public static Uri ReadUri(this ref PacketReader reader)
    {
        int at = reader.Consumed;
        string text = reader.ReadRequiredString();

        // On Unix .NET takes /path for an absolute file URI unless it knows that it is relative.
        bool isRooted = text.Length > 0 && text[0] == '/';
        return (isRooted && Uri.TryCreate(text, UriKind.Relative, out Uri? uri)) || Uri.TryCreate(text, UriKind.RelativeOrAbsolute, out uri)
            ? uri
            : throw reader.CreateFormatException(at, "a URI as a string", $"a string of {text.Length} characters that is not a URI");
    }

    /// <summary>Writes a URI as a string: as it was given, or with its scheme if it was given as a path of the file system.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The URI; null is written as an empty string, a relative URI that names nothing.</param>
    public static void WriteUri(this ref PacketWriter writer, Uri? value)
    {
        string text = value?.OriginalString ?? string.Empty;
        bool isPath = value is { IsAbsoluteUri: true } && !text.StartsWith(value.Scheme, StringComparison.OrdinalIgnoreCase);
        writer.WriteString((isPath ? value!.AbsoluteUri : text).AsSpan());
    }

    /// <summary>Reads a version: a string of two to four numbers, such as <c>1.2.3</c>.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The version.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the next value is no such string.</exception>
    public static Version ReadVersion(this ref PacketReader reader)
    {
        int at = reader.Consumed;
        string text = reader.ReadRequiredString();
        return Version.TryParse(text, out Version? version)
            ? version
            : throw reader.CreateFormatException(
                at, "a version as a string, such as 1.2.3", $"a string of {text.Length} characters that is not a version");
    }

    /// <summary>Writes a version as a string.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The version; null is written as 0.0.</param>
    public static void WriteVersion(this ref PacketWriter writer, Version? value) =>
        writer.WriteString((value?.ToString() ?? "0.0").AsSpan());

    /// <summary>Reads a point in time: a timestamp, or an array of a timestamp and the offset from UTC in minutes.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The time with its offset; with offset zero for a timestamp alone.</returns>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: the next value is neither, or no time from the
    /// year 1 to 9999, or its offset is more than 14 hours.</exception>
    public static DateTimeOffset ReadDateTimeOffset(this ref PacketReader reader)
    {
        if (reader.AtEnd || reader.PeekKind() != PacketValueKind.Array)
        {
            return reader.ReadTimestamp();
        }

        int at = reader.Consumed;
        reader.EnterNested();
        int count = reader.ReadArrayHeader(atLeast: 2);
        DateTimeOffset time = reader.ReadTimestamp();
        int minutes = (int)reader.ReadInt64(-MaxOffset, MaxOffset);
        reader.Skip(count - 2);
        reader.LeaveNested();
        long ticks = time.Ticks + (minutes * TimeSpan.TicksPerMinute);
        return ticks >= DateTime.MinValue.Ticks && ticks <= DateTime.MaxValue.Ticks
            ? new DateTimeOffset(ticks, new TimeSpan(0, minutes, 0))
            : throw reader.CreateFormatException(at, "a local time from the year 1 to 9999", "one outside of that");
    }

    /// <summary>Writes a point in time with its offset from UTC: a timestamp if the offset is zero, else an array of a timestamp and the
    /// offset in minutes.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The time.</param>
    public static void WriteDateTimeOffset(this ref PacketWriter writer, DateTimeOffset value)
    {
        if (value.Offset == TimeSpan.Zero)
        {
            writer.WriteTimestamp(value);
            return;
        }

        writer.EnterNested();
        writer.WriteArrayHeader(2);
        writer.WriteTimestamp(value);
        writer.WriteInt(value.Offset.Ticks / TimeSpan.TicksPerMinute);
        writer.LeaveNested();
    }

    /// <summary>Writes a value with a formatter.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="writer">The writer; it goes on behind the value.</param>
    /// <param name="formatter">The formatter. It must write exactly one MessagePack value, or no reader takes the packet.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="ArgumentNullException"><paramref name="formatter"/> is null.</exception>
    public static void WriteValue<T>(this ref PacketWriter writer, IPacketFormatter<T> formatter, T value)
    {
        if (formatter is null)
        {
            throw new ArgumentNullException(nameof(formatter));
        }

        formatter.Write(writer.Release(), value);
    }

    /// <summary>Reads a value with a formatter, which gets a copy of the value's bytes.</summary>
    /// <typeparam name="T">The value's type.</typeparam>
    /// <param name="reader">The reader; it goes on behind the value.</param>
    /// <param name="formatter">The formatter.</param>
    /// <returns>The value.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="formatter"/> is null.</exception>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: there is no whole value, or the formatter refuses
    /// it with such an exception or an <see cref="ArgumentException"/>.</exception>
    public static T ReadValue<T>(this ref PacketReader reader, IPacketFormatter<T> formatter)
    {
        if (formatter is null)
        {
            throw new ArgumentNullException(nameof(formatter));
        }

        // Skip counts the arrays around the value, ReadRaw does not: both look before anything is allocated.
        int at = reader.Consumed;
        PacketReader whole = reader;
        whole.Skip(1);
        var bytes = new ReadOnlySequence<byte>(reader.ReadRaw().ToArray());
        try
        {
            return formatter.Read(bytes);
        }
        catch (TransportException fault) when (fault.Fault == TransportFault.PacketMalformed)
        {
            string what = fault.Message.Replace(" of the body", " of the value");
            throw reader.CreateFormatException(at, Expected(formatter), $"one that it refuses ({what})");
        }
        catch (ArgumentException refused)
        {
            throw reader.CreateFormatException(at, Expected(formatter), $"one that it refuses ({refused.Message})");
        }
    }

    private static string Expected(object formatter) => $"a value for {formatter.GetType().Name}";
}
