using System;
using System.Globalization;

namespace Transport.Chaos.Days;

/// <summary>What the command line asks for.</summary>
/// <param name="Family">Which kind of day.</param>
/// <param name="Rounds">How many.</param>
/// <param name="Seed">Of the first round; each next one has one more.</param>
/// <param name="Seconds">No round begins later than this.</param>
/// <param name="Keep">Where a round's facts are kept if it breaks a promise.</param>
internal sealed record DayOptions(string Family, int Rounds, int Seed, int Seconds, string Keep)
{
    public const string Usage = "Transport.Chaos days FAMILY [--rounds N] [--seed S] [--seconds T] [--keep FOLDER]: FAMILY "
        + DayRun.Families + "; N 1 to 1000000 (20), S any int (by the clock), T 1 to 86400 (86400).";

    /// <summary>Reads the command line behind its first word.</summary>
    /// <returns>The options, or null if they are none.</returns>
    public static DayOptions? Parse(string[] args) => args.Length < 2 || !DayRun.Knows(args[1]) ? null : OptionWords.Read(
        new DayOptions(args[1], 20, unchecked((int)(TimeProvider.System.GetUtcNow().Ticks / 10_000_000)), 86_400, string.Empty),
        args.AsSpan(2),
        (options, word, value) => word switch
        {
            "--rounds" when int.TryParse(value, CultureInfo.InvariantCulture, out int rounds) && rounds is >= 1 and <= 1_000_000 =>
                options with { Rounds = rounds },
            "--seed" when int.TryParse(value, CultureInfo.InvariantCulture, out int seed) => options with { Seed = seed },
            "--seconds" when int.TryParse(value, CultureInfo.InvariantCulture, out int seconds) && seconds is >= 1 and <= 86_400 =>
                options with { Seconds = seconds },
            "--keep" when value.Length > 0 => options with { Keep = value },
            _ => null,
        });
}
