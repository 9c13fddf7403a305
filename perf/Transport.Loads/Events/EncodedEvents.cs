using System;
using System.Buffers;
using System.Linq;
using System.Numerics;
using System.Runtime.InteropServices;

namespace Transport.Loads.Events;

/// <summary>Events encoded beforehand: what a load sends that is to measure the road of bytes alone.</summary>
internal static class EncodedEvents
{
    /// <summary>Makes one of each kind, each one MessagePack value.</summary>
    public static byte[][] Make(EventCatalog catalog)
    {
        var output = new ArrayBufferWriter<byte>(4096);
        return [.. Enumerable.Range(0, EventCatalog.Kinds).Select(i =>
        {
            output.ResetWrittenCount();
            LoadEventFormatter.Type.Formatter.Write(output, catalog.Make(EventCatalog.FirstId + i));
            return output.WrittenSpan.ToArray();
        })];
    }

    /// <summary>Adds up every byte, 8 at a time as the C floor does: what a receiver checks a packet by that it does not decode.</summary>
    public static ulong Sum(ReadOnlySpan<byte> bytes)
    {
        ReadOnlySpan<Vector<ulong>> wide = MemoryMarshal.Cast<byte, Vector<ulong>>(bytes);
        var sums = Vector<ulong>.Zero;
        foreach (Vector<ulong> piece in wide)
        {
            sums += piece;
        }

        ulong sum = Vector.Sum(sums);
        foreach (byte b in bytes[(wide.Length * Vector<byte>.Count)..])
        {
            sum += b;
        }

        return sum;
    }
}
