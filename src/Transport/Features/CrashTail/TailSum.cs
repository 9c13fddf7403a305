using System.Runtime.CompilerServices;

namespace Transport;

/// <summary>The sum over a record: any one byte that is another makes it another, and what is half written or of an earlier round has the
/// right one by chance in 2^64.</summary>
/// <remarks>Four sums side by side, each step of which can be undone, so that one difference cannot get lost; the processor works on them
/// at once, which costs a quarter of a table-driven CRC and, unlike its instruction, is the same source on Mono.</remarks>
internal static unsafe class TailSum
{
    private const ulong Factor = 0x9e37_79b9_7f4a_7c15, First = 0x517c_c1b7_2722_0a95, Second = 0x6a09_e667_f3bc_c909,
        Third = 0xbb67_ae85_84ca_a73b;

    /// <summary>Sums up.</summary>
    /// <param name="ring">The ring, <paramref name="size"/> bytes.</param>
    /// <param name="size">A multiple of <see cref="TailLayout.Step"/>.</param>
    /// <param name="at">Where in it the record's frames begin.</param>
    /// <param name="count">Their bytes up to the next multiple of <see cref="TailLayout.Step"/>; they may go round the ring's end.</param>
    /// <param name="position">The record's place since the ring's first.</param>
    /// <param name="offset">Its <see cref="TailLayout.Offset"/>.</param>
    /// <param name="packets">Its <see cref="TailLayout.PacketsSoFar"/>.</param>
    /// <param name="length">Its <see cref="TailLayout.Length"/>.</param>
    public static long Of(byte* ring, int size, int at, int count, long position, long offset, long packets, long length)
    {
        ulong a = Factor + (ulong)position, b = First + (ulong)offset, c = Second + (ulong)packets, d = Third + (ulong)length;
        int first = count < size - at ? count : size - at;
        Add(ring + at, first, ref a, ref b, ref c, ref d);
        Add(ring, count - first, ref a, ref b, ref c, ref d);
        ulong sum = Mix(Mix(Mix(Mix(First, a), b), c), d);
        return (long)(sum ^ (sum >> 29));
    }

    private static void Add(byte* from, int count, ref ulong a, ref ulong b, ref ulong c, ref ulong d)
    {
        ulong w = a, x = b, y = c, z = d;
        for (byte* end = from + count; from < end; from += TailLayout.Step)
        {
            ulong* words = (ulong*)from;
            w = Mix(w, words[0]);
            x = Mix(x, words[1]);
            y = Mix(y, words[2]);
            z = Mix(z, words[3]);
        }

        (a, b, c, d) = (w, x, y, z);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong Mix(ulong sum, ulong word)
    {
        ulong mixed = (sum ^ word) * Factor;
        return (mixed << 31) | (mixed >> 33);
    }
}
