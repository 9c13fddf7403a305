using System;
using System.Globalization;
using Transport.Loads.Measuring;

namespace Transport.Loads.Collects;

/// <summary>One round.</summary>
/// <param name="Delays">Of log packets, from Send to their handler.</param>
/// <param name="MedianBulk">Bytes of bulk written between a log packet's Send and its own write, the median.</param>
/// <param name="MostBulk">The most.</param>
/// <param name="Seconds">How long the collecting took, until all of it was taken.</param>
/// <param name="Memory">The most private memory of the main process more than with log packets alone, bytes.</param>
internal sealed record CollectRound(Distribution Delays, double MedianBulk, double MostBulk, double Seconds, double Memory)
{
    public static CollectRound Parse(string text)
    {
        string[] words = text.Split(' ');
        double[] v = Array.ConvertAll(words[..4], w => double.Parse(w, CultureInfo.InvariantCulture));
        return new CollectRound(Distribution.Parse(string.Join(' ', words[4..])), v[0], v[1], v[2], v[3]);
    }

    public override string ToString() => FormattableString.Invariant($"{MedianBulk:f1} {MostBulk:f0} {Seconds:f6} {Memory:f0} {Delays}");
}
