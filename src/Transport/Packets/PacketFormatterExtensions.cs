using System;
using System.Buffers;

namespace Transport;

/// <summary>Writes and reads a part of a packet with a formatter of its own.</summary>
public static class PacketFormatterExtensions
{
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
            throw reader.Refuse(at, Expected(formatter), $"one that it refuses ({fault.Message.Replace(" of the body", " of the value")})");
        }
        catch (ArgumentException refused)
        {
            throw reader.Refuse(at, Expected(formatter), $"one that it refuses ({refused.Message})");
        }
    }

    private static string Expected(object formatter) => $"a value for {formatter.GetType().Name}";
}
