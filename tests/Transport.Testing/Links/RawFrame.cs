using System;
using System.Collections.Generic;

namespace Transport.Testing.Links;

/// <summary>One frame as PROTOCOL.md lays it out, parsed and made here byte by byte: not by the code under test.</summary>
/// <param name="LaneByte">Bits 0-1 the lane, bit 6 MORE.</param>
/// <param name="Type">The packet type.</param>
/// <param name="Body">The body.</param>
internal sealed record RawFrame(byte LaneByte, int Type, byte[] Body)
{
    public const byte More = 0x40;

    public int Lane => LaneByte & 3;

    public bool HasMore => (LaneByte & More) != 0;

    /// <summary>Gets the body as a map.</summary>
    public Dictionary<string, object?> Map => Bodies.ReadMap(Body);

    /// <summary>Makes the bytes of a frame.</summary>
    public static byte[] Bytes(int laneByte, int type, byte[] body)
    {
        byte[] frame = new byte[10 + body.Length];
        byte[] head =
        [
            0x93, (byte)laneByte, 0xcd, (byte)(type >> 8), (byte)type,
            0xc6, (byte)(body.Length >> 24), (byte)(body.Length >> 16), (byte)(body.Length >> 8), (byte)body.Length,
        ];
        head.CopyTo(frame, 0);
        body.CopyTo(frame, 10);
        return frame;
    }

    /// <summary>Parses a whole stream.</summary>
    /// <exception cref="FormatException">Bytes that are no frame.</exception>
    public static List<RawFrame> ParseAll(byte[] stream)
    {
        var frames = new List<RawFrame>();
        for (int at = 0; at < stream.Length;)
        {
            int length = Length(stream, at);
            byte[] body = new byte[length];
            Buffer.BlockCopy(stream, at + 10, body, 0, length);
            frames.Add(new RawFrame(stream[at + 1], (stream[at + 3] << 8) | stream[at + 4], body));
            at += 10 + length;
        }

        return frames;
    }

    /// <summary>Reads a header's length field, checking the header.</summary>
    public static int Length(byte[] bytes, int at)
    {
        bool valid = bytes[at] == 0x93 && (bytes[at + 1] & ~0x43) == 0 && bytes[at + 2] == 0xcd && bytes[at + 5] == 0xc6;
        int length = (bytes[at + 6] << 24) | (bytes[at + 7] << 16) | (bytes[at + 8] << 8) | bytes[at + 9];
        return valid && length is >= 1 and <= 65_536
            ? length
            : throw new FormatException($"No frame at byte {at}: {BitConverter.ToString(bytes, at, 10)}");
    }
}
