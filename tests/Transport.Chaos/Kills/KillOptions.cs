using System;
using System.Globalization;

namespace Transport.Chaos.Kills;

/// <summary>What the command line asks for.</summary>
/// <param name="Kills">How many workers die.</param>
/// <param name="Workers">How many live at once.</param>
/// <param name="Seed">Of all decisions. How processes interleave is the system's own.</param>
/// <param name="Wire">unix, pipe or inherited.</param>
/// <param name="Each">Whether each exit gets a line of its own.</param>
internal sealed record KillOptions(int Kills, int Workers, int Seed, string Wire, bool Each)
{
    public const string Usage = "Transport.Chaos kills COUNT [--workers N] [--seed S] [--wire unix|pipe|inherited] [--each]: "
        + "COUNT 1 to 100000, N 1 to 64 (4), S any int (by the clock).";

    /// <summary>Gets the command that does the same again.</summary>
    public string Again => FormattableString.Invariant(
        $"dotnet run -c Release --project tests/Transport.Chaos -- kills {Kills} --workers {Workers} --seed {Seed} --wire {Wire}");

    /// <summary>Reads the command line.</summary>
    /// <param name="args">Its words, <c>kills</c> first.</param>
    /// <returns>The options, or null if they are none.</returns>
    public static KillOptions? Parse(string[] args)
    {
        if (args.Length < 2 || !int.TryParse(args[1], CultureInfo.InvariantCulture, out int kills) || kills is < 1 or > 100_000)
        {
            return null;
        }

        return OptionWords.Read(new KillOptions(kills, 4, unchecked((int)TimeProvider.System.GetUtcNow().Ticks), "unix", Each: false),
            args.AsSpan(2), (options, word, value) => word switch
        {
            "--each" => options with { Each = true },
            "--workers" when int.TryParse(value, CultureInfo.InvariantCulture, out int workers) && workers is >= 1 and <= 64 =>
                options with { Workers = workers },
            "--seed" when int.TryParse(value, CultureInfo.InvariantCulture, out int seed) => options with { Seed = seed },
            "--wire" when value is "unix" or "pipe" or "inherited" => options with { Wire = value },
            _ => null,
        }, "--each");
    }
}
