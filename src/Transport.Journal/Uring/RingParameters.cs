using System.Runtime.InteropServices;

namespace Transport.Journal;

/// <summary>struct io_uring_params (linux/io_uring.h): what the kernel reports about a ring it has made.</summary>
[StructLayout(LayoutKind.Explicit, Size = 120)]
internal struct RingParameters
{
    [FieldOffset(0)]
    public uint SubmissionEntries;

    [FieldOffset(4)]
    public uint CompletionEntries;

    [FieldOffset(40)]
    public RingOffsets Submission;

    [FieldOffset(80)]
    public RingOffsets Completion;
}

/// <summary>
/// struct io_sqring_offsets and io_cqring_offsets: where in the mapped ring what stands. The last one is of the array in the one, of the
/// flags in the other.
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = 40)]
internal struct RingOffsets
{
    [FieldOffset(0)]
    public uint Head;

    [FieldOffset(4)]
    public uint Tail;

    [FieldOffset(8)]
    public uint Mask;

    /// <summary>Of a completion ring: where the entries begin.</summary>
    [FieldOffset(20)]
    public uint Entries;

    /// <summary>Of a submission ring: where the array of indexes begins.</summary>
    [FieldOffset(24)]
    public uint Array;
}

/// <summary>struct io_uring_sqe, as far as it is used.</summary>
[StructLayout(LayoutKind.Explicit, Size = 64)]
internal struct RingRequest
{
    public const byte Read = 22, Write = 23;

    /// <summary>RWF_DSYNC: durable when complete.</summary>
    public const uint Durable = 2;

    [FieldOffset(0)]
    public byte Operation;

    [FieldOffset(4)]
    public int File;

    [FieldOffset(8)]
    public ulong Offset;

    [FieldOffset(16)]
    public ulong Address;

    [FieldOffset(24)]
    public uint Count;

    [FieldOffset(28)]
    public uint Flags;

    [FieldOffset(32)]
    public ulong Tag;
}

/// <summary>struct io_uring_cqe.</summary>
[StructLayout(LayoutKind.Explicit, Size = 16)]
internal struct RingResult
{
    [FieldOffset(0)]
    public ulong Tag;

    [FieldOffset(8)]
    public int Result;
}
