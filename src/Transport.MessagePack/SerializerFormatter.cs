using System;
using System.Buffers;
using MessagePack;
using MessagePack.Formatters;

namespace Transport;

/// <summary>Writes and reads bodies by a formatter of MessagePack-CSharp, as its <see cref="MessagePackSerializer"/> does: straight into
/// the lane's segment, straight from the bytes on loan.</summary>
/// <param name="packet">The packet's name and number, for errors.</param>
/// <param name="formatter">What the options' resolver gave.</param>
/// <param name="options">How to serialize, without compression.</param>
/// <remarks>The serializer itself would look the formatter up in each call: 8 of 90 ns.</remarks>
internal sealed class SerializerFormatter<T>(string packet, IMessagePackFormatter<T> formatter, MessagePackSerializerOptions options)
    : IPacketFormatter<T>
{
    public void Write(IBufferWriter<byte> output, T value)
    {
        var writer = new MessagePackWriter(output) { OldSpec = options.OldSpec ?? false };
        try
        {
            formatter.Serialize(ref writer, value, options);
            writer.Flush();
        }
        catch (Exception e) when (e is not TransportException)
        {
            // What the output itself throws, of a packet that grows too large, comes out as it is.
            throw new MessagePackSerializationException($"Packet {packet} cannot be written: {e.GetBaseException().Message}", e);
        }
    }

    public T Read(in ReadOnlySequence<byte> body)
    {
        // First the shape alone, by a reader that allocates nothing and believes no claim.
        var shape = new PacketReader(body);
        shape.Skip();
        shape.ReadEnd();
        MessagePackReader reader = body.IsSingleSegment ? new(body.First) : new(body);
        T value;
        try
        {
            value = formatter.Deserialize(ref reader, options);
        }
        catch (Exception e)
        {
            throw Fault(e);
        }

        if (!reader.End)
        {
            throw Malformed($"a value that its formatter reads whole, got {body.Length - reader.Consumed} bytes that it leaves");
        }

        return value is null ? throw Malformed("an object, got nil") : value;
    }

    private static TransportException Malformed(string expected, Exception? cause = null) =>
        new(TransportFault.PacketMalformed, $"Expected {expected}.", cause);

    /// <summary>Distinguishes bytes of another shape from a program that has no formatter for a type, or none that is safe.</summary>
    private Exception Fault(Exception thrown)
    {
        Exception cause = thrown.GetBaseException();
        return cause is FormatterNotRegisteredException or TypeAccessException
            ? new MessagePackSerializationException($"Packet {packet} cannot be read: {cause.Message}", thrown)
            : Malformed($"{typeof(T).Name} as MessagePack-CSharp reads it, got a value that it refuses ({cause.Message})", thrown);
    }
}
