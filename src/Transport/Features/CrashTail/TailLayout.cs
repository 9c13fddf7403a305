using System;

namespace Transport;

/// <summary>
/// The file of a crash tail (docs/reference/tail-format.md): a header of 1,024 bytes, then one ring a lane of lanes 1 to 3. Numbers are 64
/// bits in the machine's own order: writer and reader are on one machine.
/// </summary>
internal static class TailLayout
{
    /// <summary>"TRTAIL01" as a little-endian number: written by the worker once it uses the file.</summary>
    public const long Magic = 0x3130_4c49_4154_5254;

    public const int Header = 1024;

    /// <summary>Records begin at multiples of this, so that none of its steps crosses the ring's end.</summary>
    public const int Step = 32;

    public const int Least = 64 << 10;

    public const int Most = 256 << 20;

    /// <summary>In a lane's block: where the next record goes, in bytes of ring since its first record. Published last.</summary>
    public const int End = 0;

    /// <summary>In a lane's block: the bytes of all packets that were committed to the lane, those without a record too.</summary>
    public const int Bytes = 8;

    /// <summary>In a lane's block: how many packets that are.</summary>
    public const int Packets = 16;

    /// <summary>In a lane's block: how many of them found no capacity in the ring.</summary>
    public const int Unrecorded = 24;

    /// <summary>In a lane's block: where the oldest record begins that may still be unwritten. In a cache line of its own: another thread
    /// writes it.</summary>
    public const int Head = 128;

    /// <summary>In a record: where its frames stand in the lane's stream of bytes.</summary>
    public const int Offset = 0;

    /// <summary>In a record: how many packets of the lane were committed once it was.</summary>
    public const int PacketsSoFar = 8;

    /// <summary>In a record: the bytes of its frames, which follow.</summary>
    public const int Length = 16;

    /// <summary>In a record: the sum over all of it and its place.</summary>
    public const int Sum = 24;

    /// <summary>The bytes of a record in front of its frames.</summary>
    public const int RecordHeader = 32;

    private const int LaneBlock = 256;

    /// <summary>Gets where a lane's block begins.</summary>
    public static int BlockOf(Lane lane) => LaneBlock * (int)lane;

    /// <summary>Gets a lane's ring: of what there is an eighth is for Urgent, a quarter for Bulk, the rest for Normal.</summary>
    /// <param name="lane">Urgent, Normal or Bulk.</param>
    /// <param name="length">The bytes of the file.</param>
    public static (int Start, int Size) RingOf(Lane lane, int length)
    {
        int steps = (length - Header) / Step;
        int urgent = steps / 8, bulk = steps / 4, normal = steps - urgent - bulk;
        (int start, int size) = lane switch
        {
            Lane.Urgent => (0, urgent),
            Lane.Normal => (urgent, normal),
            Lane.Bulk => (urgent + normal, bulk),
            _ => throw new ArgumentOutOfRangeException(nameof(lane), lane, "The control lane has no ring."),
        };
        return (Header + (start * Step), size * Step);
    }

    /// <summary>Gets what a record takes in the ring.</summary>
    /// <param name="length">The bytes of its frames.</param>
    public static long SizeOf(long length) => RecordHeader + ((length + Step - 1) & -Step);
}
