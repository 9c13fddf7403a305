using System;
using System.Collections.Generic;

namespace Transport.Fuzz.Inputs;

/// <summary>Changes an input a little: bits, bytes, ranges, tokens, pieces of another.</summary>
internal sealed class Mutator(Prng random)
{
    /// <summary>The most bytes of an input.</summary>
    public const int Largest = 200_000;

    private static readonly byte[] Reporting = [0x00, 0x01, 0x7f, 0x80, 0xff, 0x93, 0xc0, 0xc1, 0xc6, 0xcd, 0x40, 0x91, 0xdd, 0xdf];

    /// <summary>Makes a new input.</summary>
    /// <param name="input">Left as it is.</param>
    /// <param name="other">Another input, of which pieces may be taken.</param>
    public byte[] Mutate(byte[] input, byte[] other)
    {
        var bytes = new List<byte>(input);
        for (int steps = 1 + random.Below(1 << random.Below(4)); steps > 0; steps--)
        {
            Step(bytes, other);
        }

        if (bytes.Count > Largest)
        {
            bytes.RemoveRange(Largest, bytes.Count - Largest);
        }

        return [.. bytes];
    }

    private void Step(List<byte> bytes, byte[] other)
    {
        int at = random.Below(bytes.Count + 1);
        int left = bytes.Count - at;
        switch (random.Below(12))
        {
            case 0 when left > 0:
                bytes[at] ^= (byte)(1 << random.Below(8));
                break;
            case 1 when left > 0:
                bytes[at] = random.Byte();
                break;
            case 2 when left > 0:
                bytes[at] = random.Pick(Reporting);
                break;
            case 3 when left > 0:
                bytes[at] += (byte)(random.Below(9) - 4);
                break;
            case 4 when left > 0:
                bytes.RemoveRange(at, Math.Min(left, 1 + random.Length(left)));
                break;
            case 5:
                bytes.RemoveRange(at, left);
                break;
            case 6 when left > 0:
                bytes.InsertRange(at, bytes.GetRange(at, Math.Min(left, 1 + random.Length(left))));
                break;
            case 7 when other.Length > 0:
                int from = random.Below(other.Length);
                bytes.InsertRange(at, new ArraySegment<byte>(other, from, Math.Min(other.Length - from, 1 + random.Length(other.Length))));
                break;
            case 8:
                bytes.InsertRange(at, Tokens.Token(random));
                break;
            case 9 when left > 0:
                byte[] token = Tokens.Token(random);
                bytes.RemoveRange(at, Math.Min(left, token.Length));
                bytes.InsertRange(at, token);
                break;
            case 10:
                var value = new List<byte>();
                Tokens.Value(value, random, depth: 3);
                bytes.InsertRange(at, value);
                break;
            default:
                if (random.OneIn(10))
                {
                    var nest = new List<byte>();
                    Tokens.Nest(nest, random);
                    bytes.InsertRange(at, nest);
                }

                break;
        }
    }
}
