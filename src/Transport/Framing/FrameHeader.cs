using System;
using System.Buffers.Binary;
using System.Globalization;

namespace Transport;

/// <summary>What the bytes of a frame's header say so far.</summary>
internal enum FrameHeaderState
{
    /// <summary>Valid as far as it goes; more bytes are needed.</summary>
    NeedMore = 0,

    /// <summary>A whole, valid header.</summary>
    Ok = 1,

    /// <summary>No header of PROTOCOL.md, whatever comes next.</summary>
    Corrupt = 2,
}

/// <summary>The 10 bytes in front of each frame's body: the MessagePack array <c>[lane, type, body]</c> in encodings of fixed size
/// (PROTOCOL.md, "Frame").</summary>
internal readonly struct FrameHeader
{
    /// <summary>Bytes of the header.</summary>
    public const int Size = 10;

    /// <summary>The longest body of one frame, in bytes.</summary>
    public const int MaxBody = 65_536;

    /// <summary>The first packet type that is not the transport's own; smaller ones travel on lane 0, and nothing else does.</summary>
    public const int FirstFreeType = 256;

    private const byte ArrayOf3 = MessagePackCode.FixArray | 3;
    private const byte MoreBit = 0x40;
    private const byte LaneBits = 0x03;

    private FrameHeader(Lane lane, bool more, ushort type, int length)
    {
        Lane = lane;
        More = more;
        Type = type;
        Length = length;
    }

    public Lane Lane { get; }

    /// <summary>Gets a value indicating whether the packet goes on in the lane's next frame.</summary>
    public bool More { get; }

    public ushort Type { get; }

    /// <summary>Gets the bytes of the body, 1 to <see cref="MaxBody"/>.</summary>
    public int Length { get; }

    /// <summary>Returns how many bytes a packet takes, the headers of its frames included.</summary>
    /// <param name="body">The bytes of its body.</param>
    public static long SizeOnWire(long body) => body + (Size * ((body + MaxBody - 1) / MaxBody));

    /// <summary>Writes a header.</summary>
    /// <param name="to">At least <see cref="Size"/> bytes.</param>
    /// <param name="lane">The lane.</param>
    /// <param name="more">Whether the packet goes on in the lane's next frame; never on lane 0.</param>
    /// <param name="type">The packet type.</param>
    /// <param name="length">The bytes of the body, 1 to <see cref="MaxBody"/>.</param>
    public static void Write(Span<byte> to, Lane lane, bool more, ushort type, int length)
    {
        if ((uint)(length - 1) >= MaxBody)
        {
            throw new ArgumentOutOfRangeException(nameof(length), length, "A frame's body has 1 to 65536 bytes.");
        }

        BinaryPrimitives.WriteInt32BigEndian(to.Slice(6), length);
        to[5] = MessagePackCode.Bin32;
        BinaryPrimitives.WriteUInt16BigEndian(to.Slice(3), type);
        to[2] = MessagePackCode.UInt16;
        to[1] = (byte)((int)lane | (more ? MoreBit : 0));
        to[0] = ArrayOf3;
    }

    /// <summary>Returns whether a frame that this side has written is not its packet's last.</summary>
    public static bool HasMore(ReadOnlySpan<byte> frame) => (frame[1] & MoreBit) != 0;

    /// <summary>Judges the bytes of a header as soon as they are there.</summary>
    /// <param name="bytes">What has come of the frame so far; bytes from the eleventh on are ignored.</param>
    /// <param name="header">The header, for <see cref="FrameHeaderState.Ok"/>.</param>
    /// <param name="problem">For <see cref="FrameHeaderState.Corrupt"/>: the first offending byte, what was expected and what came.</param>
    /// <returns>What the bytes say.</returns>
    public static FrameHeaderState Parse(ReadOnlySpan<byte> bytes, out FrameHeader header, out string problem)
    {
        header = default;
        problem = string.Empty;
        if (bytes.Length >= Size)
        {
            int lane = bytes[1];
            ushort type = BinaryPrimitives.ReadUInt16BigEndian(bytes.Slice(3));
            int length = BinaryPrimitives.ReadInt32BigEndian(bytes.Slice(6));
            bool valid = bytes[0] == ArrayOf3 && (lane & ~(LaneBits | MoreBit)) == 0 && lane != MoreBit
                && bytes[2] == MessagePackCode.UInt16 && (lane == 0) == (type < FirstFreeType)
                && bytes[5] == MessagePackCode.Bin32 && (uint)(length - 1) < MaxBody;
            if (valid)
            {
                header = new FrameHeader((Lane)(lane & LaneBits), (lane & MoreBit) != 0, type, length);
                return FrameHeaderState.Ok;
            }
        }

        return FirstFault(bytes, out problem) ? FrameHeaderState.Corrupt : FrameHeaderState.NeedMore;
    }

    /// <summary>Goes through the bytes in order; the first one that no valid header can hold at its place is the fault.</summary>
    private static bool FirstFault(ReadOnlySpan<byte> bytes, out string problem)
    {
        for (int at = 0; at < bytes.Length && at < Size; at++)
        {
            string expected = ExpectedAt(bytes, at);
            if (expected.Length > 0)
            {
                problem = string.Format(
                    CultureInfo.InvariantCulture, "byte {0} of the frame header: expected {1}, got {2:x2}", at, expected, bytes[at]);
                return true;
            }
        }

        problem = string.Empty;
        return false;
    }

    /// <summary>What was expected at a place where something else came; empty if the byte is valid.</summary>
    private static string ExpectedAt(ReadOnlySpan<byte> bytes, int at)
    {
        byte value = bytes[at];
        switch (at)
        {
            case 0:
                return value == ArrayOf3 ? string.Empty : "93 (an array of 3: a peer that speaks this protocol)";
            case 1 when value == MoreBit:
                return "MORE (bit 6) not set on lane 0";
            case 1:
                return (value & ~(LaneBits | MoreBit)) == 0 ? string.Empty : "a lane byte with bits 2 to 5 and 7 clear";
            case 2:
                return value == MessagePackCode.UInt16 ? string.Empty : "cd (the type as uint 16)";
            case 3 when bytes[1] == 0:
                return value == 0 ? string.Empty : "a type of 0 to 255 on lane 0";
            case 3:
                return value != 0 ? string.Empty : "a type of 256 or more on lanes 1 to 3";
            case 5:
                return value == MessagePackCode.Bin32 ? string.Empty : "c6 (the body as bin 32)";
            case 6:
                return value == 0 ? string.Empty : "a body of at most 65536 bytes";
            case 7:
                return value <= 1 ? string.Empty : "a body of at most 65536 bytes";
            case 8 or 9 when bytes[7] == 1:
                return value == 0 ? string.Empty : "a body of at most 65536 bytes";
            case 9 when bytes[8] == 0:
                return value != 0 ? string.Empty : "a body of at least 1 byte";
            default:
                return string.Empty;
        }
    }
}
