using System;
using System.Globalization;

namespace Transport.Chaos;

/// <summary>What the command line asks for.</summary>
/// <param name="Minutes">How long new disturbances begin; the rest of the run is bounded, see <see cref="Soaking.Watchdog"/>.</param>
/// <param name="Workers">How many workers live at once.</param>
/// <param name="Seed">Of all decisions. How processes interleave is the system's own.</param>
/// <param name="Wire">unix or pipe.</param>
internal sealed record ChaosOptions(double Minutes, int Workers, int Seed, string Wire)
{
    public const string Usage = "Transport.Chaos [--minutes M] [--workers N] [--seed S] [--wire unix|pipe]: M 0.05 to 1440 (2), N 1 to 64 "
        + "(4), S any int (by the clock).";

    /// <summary>Gets the command that does the same again.</summary>
    public string Again => FormattableString.Invariant(
        $"dotnet run -c Release --project tests/Transport.Chaos -- --minutes {Minutes} --workers {Workers} --seed {Seed} --wire {Wire}");

    /// <summary>Reads the command line.</summary>
    /// <returns>The options, or null if they are none.</returns>
    public static ChaosOptions? Parse(string[] args)
    {
        return OptionWords.Read(new ChaosOptions(2, 4, unchecked((int)TimeProvider.System.GetUtcNow().Ticks), "unix"), args,
            (options, word, value) => word switch
        {
            "--minutes" when double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out double minutes)
                && minutes is >= 0.05 and <= 1440 => options with { Minutes = minutes },
            "--workers" when int.TryParse(value, CultureInfo.InvariantCulture, out int workers) && workers is >= 1 and <= 64 =>
                options with { Workers = workers },
            "--seed" when int.TryParse(value, CultureInfo.InvariantCulture, out int seed) => options with { Seed = seed },
            "--wire" when value is "unix" or "pipe" => options with { Wire = value },
            _ => null,
        });
    }
}
