using System;

namespace Transport.Fuzz.Inputs;

/// <summary>A small random source (splitmix64) that gives the same numbers on every runtime: a seed names a run.</summary>
internal sealed class Prng(ulong seed)
{
    private ulong _state = seed;

    /// <summary>Makes a source whose numbers depend on an input alone, so that a replay makes the same choices.</summary>
    public static Prng Of(ReadOnlySpan<byte> input) => new(Fingerprint.Of(input));

    public ulong Next()
    {
        ulong z = _state += 0x9e3779b97f4a7c15;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
        return z ^ (z >> 31);
    }

    /// <summary>Gives a number of 0 to below a limit; 0 for a limit of 1 or less.</summary>
    public int Below(int limit) => limit <= 1 ? 0 : (int)(Next() % (uint)limit);

    public bool OneIn(int n) => Below(n) == 0;

    public byte Byte() => (byte)Next();

    public T Pick<T>(T[] from) => from[Below(from.Length)];

    /// <summary>Gives a length: mostly small, now and then large.</summary>
    public int Length(int most) => Math.Min(most, Below(1 << Below(32 - LeadingZeros(most))) + Below(4));

    private static int LeadingZeros(int value)
    {
        int zeros = 0;
        for (uint bits = (uint)Math.Max(value, 1); (bits & 0x80000000) == 0; bits <<= 1)
        {
            zeros++;
        }

        return zeros;
    }
}
