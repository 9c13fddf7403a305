using System;
using System.Globalization;

namespace Transport.Chaos.Standstills;

/// <summary>What the command line asks for.</summary>
/// <param name="Seconds">How long the main node does not read.</param>
/// <param name="Rate">Events a second.</param>
internal sealed record StandstillOptions(double Seconds, int Rate)
{
    public const string Usage = "Transport.Chaos standstill [--seconds S] [--rate R]: S 1 to 60 (10), R 1000 to 200000 events a second "
        + "(100000). Needs two cores that nobody else uses.";

    /// <summary>Reads the command line.</summary>
    /// <param name="args">Its words, <c>standstill</c> first.</param>
    /// <returns>The options, or null if they are none.</returns>
    public static StandstillOptions? Parse(string[] args)
    {
        return OptionWords.Read(new StandstillOptions(10, 100_000), args.AsSpan(1), (options, word, value) => word switch
        {
            "--seconds" when double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out double seconds) && seconds is >= 1
                and <= 60 => options with { Seconds = seconds },
            "--rate" when int.TryParse(value, CultureInfo.InvariantCulture, out int rate) && rate is >= 1_000 and <= 200_000 =>
                options with { Rate = rate },
            _ => null,
        });
    }
}

/// <summary>What a sender does with a packet that finds no capacity.</summary>
internal enum Manner
{
    /// <summary>Keeps it: the lane refuses.</summary>
    Refuse,

    /// <summary>Gives it up: the lane drops, least level first.</summary>
    Drop,

    /// <summary>Must not lose it: waits, again and again.</summary>
    Wait,
}
