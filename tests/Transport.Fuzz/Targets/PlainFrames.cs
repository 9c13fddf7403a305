namespace Transport.Fuzz.Targets;

/// <summary>The table of PROTOCOL.md, "Frame", read word by word: what a frame reader is compared with.</summary>
internal static class PlainFrames
{
    /// <summary>Counts the whole frames before the end or the first byte that no frame has there.</summary>
    public static (int Frames, bool IsCorrupt) Count(byte[] stream)
    {
        int frames = 0;
        for (int at = 0; at < stream.Length;)
        {
            if (!IsValid(stream, at))
            {
                return (frames, true);
            }

            if (stream.Length - at < 10 || stream.Length - at - 10 < Length(stream, at))
            {
                break;
            }

            at += 10 + Length(stream, at);
            frames++;
        }

        return (frames, false);
    }

    private static int Length(byte[] s, int at) => (s[at + 6] << 24) | (s[at + 7] << 16) | (s[at + 8] << 8) | s[at + 9];

    /// <summary>Whether the bytes there are can still become a valid header.</summary>
    private static bool IsValid(byte[] s, int at)
    {
        int have = s.Length - at;
        bool Has(int n) => have > n;
        byte B(int n) => s[at + n];
        if (B(0) != 0x93 || (Has(1) && ((B(1) & 0xbc) != 0 || B(1) == 0x40)) || (Has(2) && B(2) != 0xcd))
        {
            return false;
        }

        if ((Has(3) && (B(1) == 0) != (B(3) == 0)) || (Has(5) && B(5) != 0xc6))
        {
            return false;
        }

        // 1 to 65,536 as four bytes: 00 00 xx xx but not all zero, or 00 01 00 00.
        if ((Has(6) && B(6) != 0) || (Has(7) && B(7) > 1))
        {
            return false;
        }

        bool isMost = Has(7) && B(7) == 1;
        if (isMost)
        {
            return !(Has(8) && B(8) != 0) && !(Has(9) && B(9) != 0);
        }

        return !(Has(9) && B(8) == 0 && B(9) == 0);
    }
}
