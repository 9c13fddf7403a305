using System;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Transport.Journal;

/// <summary>
/// Finds in the rest of a segment, tens of megabytes of zeros or of older contents, the few places that are worth a look; all of them
/// stand at multiples of 8.
/// </summary>
internal static partial class TailBytes
{
    private const int KindsAt = 24;   // the eight bytes of a header that end with the lengths of its node and its kind
    private const int KindShift = 56;
    private const int NodeShift = 48;

    /// <summary>Finds the next eight bytes that are not all zero; the bytes' count if there are none.</summary>
    public static int NextTrace(ReadOnlySpan<byte> bytes, int from)
    {
        int at = from >= bytes.Length ? -1 : FirstNotZero(bytes.Slice(from));
        return at < 0 ? bytes.Length : (from + at) & ~(RecordHeader.Alignment - 1);
    }

    /// <summary>Finds the end of the last eight bytes that are not all zero; 0 if there are none.</summary>
    public static int EndOfTraces(ReadOnlySpan<byte> bytes)
    {
        int whole = bytes.Length & ~(RecordHeader.Alignment - 1);
        if (FirstNotZero(bytes.Slice(whole)) >= 0)
        {
            return bytes.Length;
        }

        ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(bytes.Slice(0, whole));
        int count = words.Length;
        while (count > 0 && words[count - 1] == 0)
        {
            count--;
        }

        return count * RecordHeader.Alignment;
    }

    /// <summary>Finds the next place where a whole header may stand; the bytes' count if there is none.</summary>
    [MethodImpl(HotPath.CompiledWhole)]
    public static int NextHeader(ReadOnlySpan<byte> bytes, int from)
    {
        int end = bytes.Length - RecordHeader.Size;
        for (int at = from; at <= end; at += RecordHeader.Alignment)
        {
            at = SkipOthers(bytes, at, end);
            if (at <= end && IsHeader(bytes.Slice(at)))
            {
                return at;
            }
        }

        return bytes.Length;
    }

    /// <summary>
    /// Whether a header may stand there: its kind and its node's length are possible, and it does not begin with a sum and a length of
    /// zero.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsHeader(ReadOnlySpan<byte> bytes)
    {
        ulong kinds = BinaryPrimitives.ReadUInt64LittleEndian(bytes.Slice(KindsAt));
        return (kinds >> KindShift) - (ulong)RecordKind.Packet <= RecordKind.Gap - RecordKind.Packet
            && (byte)(kinds >> NodeShift) <= RecordHeader.MaxNode
            && BinaryPrimitives.ReadUInt64LittleEndian(bytes) != 0;
    }
}
