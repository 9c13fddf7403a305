using System;
using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Transport.Files;

/// <summary>SipHash-2-4 (Aumasson and Bernstein, 2012). Without the key nobody can find inputs with equal hashes.</summary>
internal readonly struct SipHash(ulong key0, ulong key1)
{
    /// <summary>Creates a hash with a random key.</summary>
    public static SipHash Create()
    {
        byte[] key = new byte[2 * sizeof(ulong)];
        using var source = RandomNumberGenerator.Create();
        source.GetBytes(key);
        ulong first = BinaryPrimitives.ReadUInt64LittleEndian(key);
        return new SipHash(first, BinaryPrimitives.ReadUInt64LittleEndian(key.AsSpan(sizeof(ulong))));
    }

    public ulong Of(ReadOnlySpan<byte> bytes)
    {
        ulong a = key0 ^ 0x736f6d6570736575, b = key1 ^ 0x646f72616e646f6d, c = key0 ^ 0x6c7967656e657261, d = key1 ^ 0x7465646279746573;
        ulong last = (ulong)bytes.Length << 56;
        for (; bytes.Length >= 8; bytes = bytes.Slice(8))
        {
            Add(BinaryPrimitives.ReadUInt64LittleEndian(bytes), ref a, ref b, ref c, ref d);
        }

        for (int i = 0; i < bytes.Length; i++)
        {
            last |= (ulong)bytes[i] << (8 * i);
        }

        Add(last, ref a, ref b, ref c, ref d);
        c ^= 0xff;
        for (int i = 0; i < 4; i++)
        {
            Round(ref a, ref b, ref c, ref d);
        }

        return a ^ b ^ c ^ d;
    }

    private static void Add(ulong word, ref ulong a, ref ulong b, ref ulong c, ref ulong d)
    {
        d ^= word;
        Round(ref a, ref b, ref c, ref d);
        Round(ref a, ref b, ref c, ref d);
        a ^= word;
    }

    private static void Round(ref ulong a, ref ulong b, ref ulong c, ref ulong d)
    {
        a += b;
        c += d;
        b = Left(b, 13) ^ a;
        d = Left(d, 16) ^ c;
        a = Left(a, 32);
        c += b;
        a += d;
        b = Left(b, 17) ^ c;
        d = Left(d, 21) ^ a;
        c = Left(c, 32);
    }

    private static ulong Left(ulong word, int bits) => (word << bits) | (word >> (64 - bits));
}
