using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using Transport.Loads.Scenarios;

namespace Transport.Loads.Commands;

/// <summary>What the user asked for.</summary>
internal sealed record CommandLine
{
    public IReadOnlyList<IScenario> Scenarios { get; private init; } = [];

    public bool Help { get; private init; }

    public bool Quick { get; private init; }

    public bool Check { get; private init; }

    /// <summary>Gets the number of rounds; null: as many as the kind of run wants.</summary>
    public int? Rounds { get; private init; }

    public string? Json { get; private init; }

    public string? Svg { get; private init; }

    public string? Markdown { get; private init; }

    /// <summary>Gets the recorded builds to replay, in place of those that come with the program.</summary>
    public IReadOnlyList<string> Files { get; private init; } = [];

    /// <summary>Gets the columns that <c>events</c> runs; empty: all.</summary>
    public IReadOnlyList<string> Columns { get; private init; } = [];

    /// <exception cref="LoadException">Something that is not known, missing or out of range.</exception>
    public static CommandLine Parse(IReadOnlyList<string> args)
    {
        var line = new CommandLine();
        var names = new List<string>();
        for (int i = 0; i < args.Count; i++)
        {
            string option = args[i];
            string Value() => ++i < args.Count ? args[i] : throw new LoadException($"{option} needs a value after it.");
            switch (option)
            {
                case "-h" or "--help":
                    line = line with { Help = true };
                    break;
                case "--quick":
                    line = line with { Quick = true };
                    break;
                case "--check":
                    line = line with { Check = true };
                    break;
                case "--rounds":
                    line = line with { Rounds = Count(Value()) };
                    break;
                case "--json":
                    line = line with { Json = Value() };
                    break;
                case "--svg":
                    line = line with { Svg = Value() };
                    break;
                case "--markdown":
                    line = line with { Markdown = Value() };
                    break;
                case "--columns":
                    line = line with { Columns = EventsScenario.Choose(Value().Split(',')) };
                    break;
                case ['-', ..]:
                    throw new LoadException($"'{option}' is not known; --help lists what is.");
                default:
                    names.Add(option);
                    break;
            }
        }

        if (line.Help)
        {
            return line;
        }

        // Behind the scenario binlog stand files.
        string[] files = names.Contains(BinlogScenario.Word) ? [.. names.Where(File.Exists)] : [];
        return line with { Files = files, Scenarios = Find([.. names.Except(files, StringComparer.Ordinal)]) };
    }

    private static int Count(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int rounds) && rounds is >= 1 and <= 1000
            ? rounds
            : throw new LoadException($"--rounds {text}: allowed are 1 to 1000.");

    private static IReadOnlyList<IScenario> Find(List<string> names)
    {
        if (names.Count == 0)
        {
            throw new LoadException("Name a scenario, or say all; --help lists them.");
        }

        return names.Contains("all")
            ? ScenarioList.All
            : [.. names.Select(n => ScenarioList.Find(n) ?? throw new LoadException($"There is no scenario '{n}'. There are: all, {string.Join(", ", ScenarioList.All.Select(s => s.Name))}."))];
    }
}
