using System;
using System.Buffers.Binary;

namespace Transport.Loads.Events;

/// <summary>A packet of any size up to 128 KiB: a MessagePack byte string that begins with its thread and its number; what follows is the
/// same in every packet, so that a receiver can compare it.</summary>
internal static class MixedBody
{
    private const int Largest = 128 << 10;
    private const int ProducerAt = 5;
    private const int NumberAt = 6;
    private const int Head = 10;

    public static byte[] Make()
    {
        var body = new byte[Largest];
        new Random(20_260_101).NextBytes(body);
        body[0] = 0xc6;   // bin 32
        return body;
    }

    /// <summary>Makes the first <paramref name="size"/> bytes a packet.</summary>
    public static void Stamp(byte[] body, int size, int producer, uint number)
    {
        BinaryPrimitives.WriteInt32BigEndian(body.AsSpan(1), size - ProducerAt);
        body[ProducerAt] = (byte)producer;
        BinaryPrimitives.WriteUInt32BigEndian(body.AsSpan(NumberAt), number);
    }

    /// <summary>Reads a packet and compares the rest of it.</summary>
    /// <returns>False if it has changed on its way.</returns>
    public static bool TryRead(ReadOnlySpan<byte> body, byte[] template, out int producer, out uint number)
    {
        producer = body[ProducerAt];
        number = BinaryPrimitives.ReadUInt32BigEndian(body.Slice(NumberAt));
        return BinaryPrimitives.ReadInt32BigEndian(body.Slice(1)) == body.Length - ProducerAt
            && body.Slice(Head).SequenceEqual(template.AsSpan(Head, body.Length - Head));
    }
}
