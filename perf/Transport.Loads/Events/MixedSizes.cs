using System;

namespace Transport.Loads.Events;

/// <summary>The packet sizes of a recorded full build of 20 projects (43,204 events), as shares of their number.</summary>
internal static class MixedSizes
{
    private static readonly (double Share, int Size)[] s_classes =
    [
        (0.010, 100),
        (0.490, 192),
        (0.4675, 384),
        (0.030, 768),
        (0.0015, 2_560),
        (0.0005, 21 << 10),    // command lines of the compiler
        (0.0005, 121 << 10),   // evaluations
    ];

    /// <summary>Draws a size.</summary>
    public static int Draw(Random random)
    {
        double at = random.NextDouble();
        foreach ((double share, int size) in s_classes)
        {
            at -= share;
            if (at < 0)
            {
                return size;
            }
        }

        return s_classes[1].Size;
    }
}
