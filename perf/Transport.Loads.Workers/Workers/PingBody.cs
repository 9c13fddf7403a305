using System;
using System.Buffers.Binary;

namespace Transport.Loads.Workers;

/// <summary>A packet of 64 bytes, one MessagePack byte string, with a number in it.</summary>
internal static class PingBody
{
    /// <summary>The packet type of pings.</summary>
    public const int Type = 1026;

    /// <summary>How many bytes it has.</summary>
    public const int Size = 64;

    private const int NumberAt = 2;

    public static byte[] Make()
    {
        var body = new byte[Size];
        for (int i = 0; i < body.Length; i++)
        {
            body[i] = (byte)(3 * i);
        }

        (body[0], body[1]) = (0xc4, Size - 2);
        return body;
    }

    /// <summary>Writes the number of this trip.</summary>
    public static void Number(byte[] body, int number) => BinaryPrimitives.WriteInt32BigEndian(body.AsSpan(NumberAt), number);

    /// <summary>Sends a ping or its answer.</summary>
    /// <param name="link">The link.</param>
    /// <param name="body">The packet.</param>
    /// <exception cref="LoadException">The link does not take it.</exception>
    public static void Send(Link link, ReadOnlySpan<byte> body)
    {
        if (link.TrySendRaw(Type, body) != SendResult.Queued)
        {
            throw new LoadException("The link did not take a ping.");
        }
    }

    /// <summary>Checks what came back, every byte of it.</summary>
    /// <exception cref="LoadException">It is not what was sent.</exception>
    public static void Check(ReadOnlySpan<byte> came, ReadOnlySpan<byte> sent)
    {
        if (!came.SequenceEqual(sent))
        {
            throw new LoadException("A ping came back changed, or not the one that was sent.");
        }
    }
}
