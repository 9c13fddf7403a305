using System;
using System.Globalization;

namespace Transport.Fuzz.Running;

/// <summary>What the command line says.</summary>
internal sealed class FuzzOptions
{
    public const string Usage = """
        usage: Transport.Fuzz [--seed N] [--inputs N | --minutes M] [--target NAME] [--crashes FOLDER]
               Transport.Fuzz --list
               Transport.Fuzz --replay FILE [--target NAME]
               Transport.Fuzz hostile [--connections N] [--seed N]
               Transport.Fuzz crafted [--inputs N] [--seed N]

          --seed N         the run's seed; the same one makes the same inputs (default: from the clock, printed)
          --inputs N       how many inputs in all (default 1,100,000)
          --minutes M      instead: for how long
          --target NAME    one target, or all whose name begins so
          --crashes FOLDER where inputs that fail are kept (default: fuzz-crashes)
          --replay FILE    runs one kept input; its target is in its name
        Exit code 0: nothing failed; 1: something did; 2: the command line is wrong.
        """;

    public ulong Seed { get; private set; }

    public long Inputs { get; private set; } = 1_100_000;

    public double Minutes { get; private set; }

    public string? Target { get; private set; }

    public string Crashes { get; private set; } = "fuzz-crashes";

    public string? Replay { get; private set; }

    public bool List { get; private set; }

    public int Connections { get; private set; } = 100_000;

    /// <exception cref="FormatException">A word that is none.</exception>
    public static FuzzOptions Parse(ReadOnlySpan<string> words)
    {
        var options = new FuzzOptions { Seed = (ulong)TimeProvider.System.GetUtcNow().Ticks };
        for (int i = 0; i < words.Length; i++)
        {
            if (words[i] == "--list")
            {
                options.List = true;
                continue;
            }

            if (i + 1 == words.Length)
            {
                throw new FormatException($"{words[i]} is no option, or lacks its value.");
            }

            options.Set(words[i], words[++i]);
        }

        return options;
    }

    private void Set(string name, string value)
    {
        switch (name)
        {
            case "--seed":
                Seed = ulong.Parse(value, CultureInfo.InvariantCulture);
                break;
            case "--inputs":
                Inputs = long.Parse(value, CultureInfo.InvariantCulture);
                break;
            case "--minutes":
                Minutes = double.Parse(value, CultureInfo.InvariantCulture);
                break;
            case "--target":
                Target = value;
                break;
            case "--crashes":
                Crashes = value;
                break;
            case "--replay":
                Replay = value;
                break;
            case "--connections":
                Connections = int.Parse(value, CultureInfo.InvariantCulture);
                break;
            default:
                throw new FormatException($"{name} is no option.");
        }
    }
}
