using System;
using System.Linq;
#if NET
using System.Numerics;
#endif
using System.Runtime.InteropServices;

namespace Transport.Loads.Events;

/// <summary>Events encoded beforehand: what a load sends that is to measure the path of bytes alone.</summary>
internal static class EncodedEvents
{
    /// <summary>Makes one of each kind, each one MessagePack value.</summary>
    public static byte[][] Make(EventCatalog catalog)
    {
        var output = new ReusedBuffer(4096);
        return [.. Enumerable.Range(0, EventCatalog.Kinds).Select(i =>
        {
            output.Reset();
            LoadEventFormatter.Type.Formatter.Write(output, catalog.Make(EventCatalog.FirstId + i));
            return output.Written.ToArray();
        })];
    }

    /// <summary>Adds up every byte, 8 at a time, and the sums on the way, so that pieces that change places are noticed too: what a
    /// receiver checks a packet by that it does not decode. The C floor does the same.</summary>
    public static ulong Sum(ReadOnlySpan<byte> bytes)
    {
#if NET
        ReadOnlySpan<Vector<ulong>> wide = MemoryMarshal.Cast<byte, Vector<ulong>>(bytes);
        var sums = Vector<ulong>.Zero;
        var places = Vector<ulong>.Zero;
        foreach (Vector<ulong> piece in wide)
        {
            sums += piece;
            places += sums;
        }

        ulong sum = Together(Vector.Sum(sums), Vector.Sum(places));
        int done = wide.Length * Vector<byte>.Count;
#else
        ReadOnlySpan<ulong> wide = MemoryMarshal.Cast<byte, ulong>(bytes);
        ulong sum = 0;
        ulong places = 0;
        foreach (ulong piece in wide)
        {
            sum += piece;
            places += sum;
        }

        sum = Together(sum, places);
        int done = wide.Length * sizeof(ulong);
#endif
        foreach (byte b in bytes.Slice(done))
        {
            sum += b;
        }

        return sum;
    }

    /// <summary>A changed byte changes both, the second once for each place it is before the end: 5 and an even number, so that they never
    /// make up for each other.</summary>
    private static ulong Together(ulong sum, ulong places) => (5 * sum) + (2 * places);
}
