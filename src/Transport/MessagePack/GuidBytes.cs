using System;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Transport;

/// <summary>A GUID in the order of its text (RFC 9562): its numbers big endian. The old framework can do that over arrays only.</summary>
internal static class GuidBytes
{
    public const int Size = 16;

    public static void Write(Guid value, ref byte to)
    {
        ref Parts parts = ref Unsafe.As<Guid, Parts>(ref value);
        BigEndian.Put(ref to, 0, parts.A);
        BigEndian.Put(ref to, 4, parts.B);
        BigEndian.Put(ref to, 6, parts.C);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref to, 8), parts.Rest);
    }

    public static Guid Read(ReadOnlySpan<byte> bytes)
    {
        var parts = new Parts
        {
            A = BinaryPrimitives.ReadUInt32BigEndian(bytes),
            B = BinaryPrimitives.ReadUInt16BigEndian(bytes.Slice(4)),
            C = BinaryPrimitives.ReadUInt16BigEndian(bytes.Slice(6)),
            Rest = MemoryMarshal.Read<ulong>(bytes.Slice(8)),
        };
        return Unsafe.As<Parts, Guid>(ref parts);
    }

    /// <summary>How a GUID lies in memory: two numbers of 16 bits behind one of 32, then 8 single bytes.</summary>
    [StructLayout(LayoutKind.Sequential, Pack = 4)]
    private struct Parts
    {
        public uint A;
        public ushort B;
        public ushort C;
        public ulong Rest;
    }
}
