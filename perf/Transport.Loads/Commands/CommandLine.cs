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

        string[] files = [.. names.Where(IsFile)];
        line = line with { Files = files, Scenarios = Find([.. names.Except(files, StringComparer.Ordinal)]) };
        if (files.Length > 0 && !line.Scenarios.Any(s => s.Name == BinlogScenario.Word))
        {
            throw new LoadException($"{files[0]}: a file may stand behind the scenario {BinlogScenario.Word} alone.");
        }

        return Array.Find(files, f => !File.Exists(f)) is { } missing
            ? throw new LoadException($"{missing} {(Directory.Exists(missing) ? "is a folder, not a recorded build" : "is not there")}.")
            : line.Columns.Count > 0 && line.Scenarios is not [{ Name: EventsScenario.Word }]
            ? throw new LoadException($"--columns chooses columns of the scenario {EventsScenario.Word} alone: run that by itself.")
            : line;
    }

    /// <summary>Recorded builds to replay; no scenario has a name like one.</summary>
    private static bool IsFile(string word) =>
        word.Contains('/', StringComparison.Ordinal) || word.Contains(Path.DirectorySeparatorChar, StringComparison.Ordinal)
        || word.EndsWith(".binlog", StringComparison.OrdinalIgnoreCase) || (ScenarioList.Find(word) is null && File.Exists(word));

    private static int Count(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int rounds) && rounds is >= 1 and <= 1000
            ? rounds
            : throw new LoadException($"--rounds {text}: allowed are 1 to 1000.");

    private static IReadOnlyList<IScenario> Find(List<string> names)
    {
        if (names.Count == 0)
        {
            throw new LoadException("Name a scenario or a group of them, or say all; --help lists them.");
        }

        return [.. names.SelectMany(n => ScenarioList.Find(n) ?? throw new LoadException(
            $"There is no scenario '{n}'. There are: {ScenarioList.Everything}, "
                + $"{string.Join(", ", ScenarioList.Groups.Select(g => g.Name).Union(ScenarioList.All.Select(s => s.Name)))}."))
                    .Distinct()];
    }
}
