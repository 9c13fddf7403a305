using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Transport.Journal;

/// <content>With the processor's wide registers: four places at a time.</content>
internal static partial class TailBytes
{
    private static int FirstNotZero(ReadOnlySpan<byte> bytes) => bytes.IndexOfAnyExcept((byte)0);

    /// <summary>Goes on to the first four places among which one has a possible kind.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int SkipOthers(ReadOnlySpan<byte> bytes, int at, int end)
    {
        const int Step = 4 * RecordHeader.Alignment;
        if (!BitConverter.IsLittleEndian)
        {
            return at;
        }

        ref byte first = ref MemoryMarshal.GetReference(bytes);
        Vector256<ulong> least = Vector256.Create((ulong)RecordKind.Packet),
            kinds = Vector256.Create((ulong)(RecordKind.Gap - RecordKind.Packet));
        for (; at <= end - Step; at += Step)
        {
            Vector256<ulong> four = Vector256.LoadUnsafe(ref first, (nuint)(at + KindsAt)).AsUInt64();
            if (Vector256.LessThanOrEqualAny(Vector256.ShiftRightLogical(four, KindShift) - least, kinds))
            {
                break;
            }
        }

        return at;
    }
}
