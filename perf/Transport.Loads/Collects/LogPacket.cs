using System;

namespace Transport.Loads.Collects;

/// <summary>A log packet with the time in it: the array of a uint 64 and 240 bytes.</summary>
internal static class LogPacket
{
    public const int Type = 1028;

    /// <summary>Where the time stands.</summary>
    public const int TimeAt = 2;

    private const int Filling = 240;

    public static byte[] MakeBody()
    {
        byte[] body = new byte[TimeAt + sizeof(long) + 2 + Filling];
        (body[0], body[1], body[TimeAt + sizeof(long)], body[TimeAt + sizeof(long) + 1]) = (0x92, 0xcf, 0xc4, Filling);
        body.AsSpan(body.Length - Filling).Fill((byte)'x');
        return body;
    }
}
