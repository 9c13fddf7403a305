using System;
using Transport.Fuzz.Inputs;

namespace Transport.Fuzz.Targets;

/// <summary>How a stream comes in pieces.</summary>
internal sealed class Chunks
{
    private readonly Prng _random;
    private readonly int _most;

    private Chunks(int most, Prng random)
    {
        _most = most;
        _random = random;
    }

    public static Chunks Whole => new(int.MaxValue, new Prng(0));

    public static Chunks Single => new(1, new Prng(0));

    /// <summary>Pieces of any size up to a limit that depends on the input.</summary>
    public static Chunks Random(byte[] input, int salt)
    {
        var random = new Prng(Fingerprint.Of(input) + (ulong)salt);
        return new Chunks(Math.Max(2 << random.Below(17), input.Length / 16), random);
    }

    public int Next(int left) => Math.Min(left, _most == int.MaxValue ? left : 1 + _random.Below(_most));
}
