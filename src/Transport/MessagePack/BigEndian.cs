using System;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace Transport;

/// <summary>Stores without a look at the length, if the caller has looked already.</summary>
internal static class BigEndian
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Put(ref byte to, int offset, ushort value) =>
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, offset), BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(value)
            : value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Put(ref byte to, int offset, uint value) =>
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, offset), BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(value)
            : value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Put(ref byte to, int offset, ulong value) =>
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, offset), BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(value)
            : value);
}
