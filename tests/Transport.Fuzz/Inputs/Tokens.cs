using System;
using System.Collections.Generic;

namespace Transport.Fuzz.Inputs;

/// <summary>Makes MessagePack, valid and invalid: tokens at the limits of their encodings, claims of more than there is, deep
/// nests.</summary>
internal static class Tokens
{
    private static readonly byte[] Codes =
    [
        0x00, 0x01, 0x7f, 0x80, 0x81, 0x8f, 0x90, 0x91, 0x9f, 0xa0, 0xa1, 0xbf, 0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9,
            0xca, 0xcb,
        0xcc, 0xcd, 0xce, 0xcf, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xdf, 0xe0, 0xff,
    ];

    private static readonly ulong[] Numbers =
    [
        0, 1, 2, 15, 16, 31, 32, 127, 128, 255, 256, 4095, 32767, 32768, 65535, 65536, 65537, 1 << 20, 1 << 24, int.MaxValue, 0x80000000,
            uint.MaxValue,
        0x100000000, long.MaxValue, 0x8000000000000000, ulong.MaxValue,
    ];

    /// <summary>Gives a number at which something changes.</summary>
    public static ulong Number(Prng random) => random.Pick(Numbers) + (random.OneIn(3) ? (ulong)(random.Below(5) - 2) : 0);

    /// <summary>Gives a token: a code and what may follow it, which need not be what the code claims.</summary>
    public static byte[] Token(Prng random)
    {
        byte code = random.OneIn(4) ? random.Byte() : random.Pick(Codes);
        var token = new byte[1 + random.Below(13)];
        token[0] = code;
        ulong number = Number(random);
        int width = Math.Min(token.Length - 1, 1 << random.Below(4));
        for (int i = 0; i < width; i++)
        {
            token[1 + i] = (byte)(number >> (8 * (width - 1 - i)));
        }

        return token;
    }

    /// <summary>Writes one valid value.</summary>
    public static void Value(List<byte> to, Prng random, int depth)
    {
        int kind = random.Below(depth > 0 ? 13 : 10);
        switch (kind)
        {
            case 0:
                to.Add(random.OneIn(2) ? (byte)0xc0 : random.OneIn(2) ? (byte)0xc2 : (byte)0xc3);
                break;
            case 1:
                to.Add((byte)random.Below(128));
                break;
            case 2 or 3:
                Sized(to, (byte)(0xcc + random.Below(8)), 1, random, static (code, _) => 1 << (code & 3));
                break;
            case 4:
                Sized(to, random.OneIn(2) ? (byte)0xca : (byte)0xcb, 1, random, static (code, _) => code == 0xca ? 4 : 8);
                break;
            case 5 or 6 or 7:
                Text(to, random);
                break;
            case 8:
                int length = random.Length(40);
                to.AddRange([0xc4, (byte)length]);
                Fill(to, random, length);
                break;
            case 9:
                Extension(to, random);
                break;
            default:
                Container(to, random, depth - 1, isMap: kind == 12);
                break;
        }
    }

    /// <summary>Writes a text, mostly a short one of few letters, so that texts come again.</summary>
    public static void Text(List<byte> to, Prng random)
    {
        int length = random.OneIn(20) ? random.Length(600) : random.Below(12);
        if (length < 32 && !random.OneIn(8))
        {
            to.Add((byte)(0xa0 | length));
        }
        else if (length < 256)
        {
            to.AddRange([0xd9, (byte)length]);
        }
        else
        {
            to.AddRange([0xda, (byte)(length >> 8), (byte)length]);
        }

        bool ascii = !random.OneIn(6);
        for (int i = 0; i < length; i++)
        {
            to.Add(ascii ? (byte)('a' + random.Below(4)) : random.Byte());
        }
    }

    /// <summary>Writes many arrays inside each other.</summary>
    public static void Nest(List<byte> to, Prng random)
    {
        for (int left = 55 + random.Below(20); left > 0; left--)
        {
            if (random.OneIn(3))
            {
                to.AddRange([0x81, 0xa1, (byte)'k']);
            }
            else
            {
                to.Add(0x91);
            }
        }

        to.Add(0xc0);
    }

    private static void Extension(List<byte> to, Prng random)
    {
        // Types 1 and 2 are references of the tables, -1 is a time.
        byte type = random.Pick<byte>([1, 1, 2, 0xff, 0xff, 0, 7, 0x80]);
        if (type == 0xff && !random.OneIn(3))
        {
            int width = random.Below(2);
            to.AddRange([(byte)(0xd6 + width), type]);
            Fill(to, random, 4 << width);
        }
        else if (random.OneIn(3))
        {
            int length = random.Below(18);
            to.AddRange([0xc7, (byte)length, type]);
            Fill(to, random, length);
        }
        else
        {
            int width = random.Below(5);
            to.AddRange([(byte)(0xd4 + width), type]);
            for (int i = 0; i < 1 << width; i++)
            {
                to.Add((byte)random.Below(6));
            }
        }
    }

    private static void Container(List<byte> to, Prng random, int depth, bool isMap)
    {
        int count = random.OneIn(12) ? 16 + random.Below(8) : random.Below(6);
        int code = isMap ? 0x80 : 0x90;
        if (count < 16 && !random.OneIn(6))
        {
            to.Add((byte)(code | count));
        }
        else
        {
            to.AddRange([(byte)(isMap ? 0xde : 0xdc), 0, (byte)count]);
        }

        for (int i = 0; i < count; i++)
        {
            if (isMap)
            {
                Text(to, random);
            }

            Value(to, random, depth);
        }
    }

    private static void Sized(List<byte> to, byte code, int header, Prng random, Func<byte, int, int> size)
    {
        to.Add(code);
        int width = size(code, header);
        ulong number = random.OneIn(2) ? Number(random) : random.Next();
        for (int i = width - 1; i >= 0; i--)
        {
            to.Add((byte)(number >> (8 * i)));
        }
    }

    private static void Fill(List<byte> to, Prng random, int count)
    {
        for (int i = 0; i < count; i++)
        {
            to.Add(random.Byte());
        }
    }
}
