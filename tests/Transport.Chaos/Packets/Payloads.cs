using System;
using System.Numerics;
using System.Runtime.InteropServices;

namespace Transport.Chaos.Packets;

/// <summary>Random bytes to send, and their sum.</summary>
internal sealed class Payloads
{
    public const int Largest = 5_000_000;
    private readonly byte[] _bytes = new byte[2 * Largest];

    public Payloads(int seed) => new Random(seed).NextBytes(_bytes);

    /// <summary>CRC-32C, eight bytes a step.</summary>
    public static uint Sum(ReadOnlySpan<byte> bytes)
    {
        uint sum = uint.MaxValue;
        ReadOnlySpan<ulong> words = MemoryMarshal.Cast<byte, ulong>(bytes);
        foreach (ulong word in words)
        {
            sum = BitOperations.Crc32C(sum, word);
        }

        foreach (byte one in bytes.Slice(words.Length * sizeof(ulong)))
        {
            sum = BitOperations.Crc32C(sum, one);
        }

        return sum;
    }

    /// <summary>Takes a random piece: of 50 B to some 2 KB mostly, seldom of up to 5 MB.</summary>
    public ReadOnlyMemory<byte> Piece(Random dice, int largest = Largest)
    {
        int most = dice.Next(1000) switch { < 2 => Largest, < 20 => 500_000, < 120 => 60_000, _ => 2_000 };
        int size = dice.Next(50, Math.Min(most, largest) + 1);
        return _bytes.AsMemory(dice.Next(_bytes.Length - size), size);
    }
}
