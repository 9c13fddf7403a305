using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Parsing;
using System.IO;
using System.Linq;
using Transport.Loads.Scenarios;

namespace Transport.Loads.Commands;

/// <summary>What the user asked for.</summary>
internal sealed record CommandLine
{
    private const int MostRounds = 1000;

    public IReadOnlyList<IScenario> Scenarios { get; private init; } = [];

    public bool Help { get; private init; }

    public bool Quick { get; private init; }

    public bool Check { get; private init; }

    /// <summary>Gets the number of rounds; null: as many as the kind of run wants.</summary>
    public int? Rounds { get; private init; }

    public string? Json { get; private init; }

    /// <summary>Gets the file of committed values that the run is compared with.</summary>
    public string? Gate { get; private init; }

    /// <summary>Gets a value indicating whether that file takes the values of this run instead.</summary>
    public bool KeepsGate { get; private init; }

    /// <summary>Gets the recorded builds to replay, in place of those that come with the program.</summary>
    public IReadOnlyList<string> Files { get; private init; } = [];

    /// <summary>Gets the columns that <c>events</c> runs; empty: all.</summary>
    public IReadOnlyList<string> Columns { get; private init; } = [];

    /// <exception cref="LoadException">Something that is not known, missing or out of range.</exception>
    public static CommandLine Parse(IReadOnlyList<string> args)
    {
        var syntax = new Syntax();
        ParseResult parsed = syntax.Parse(args);
        if (parsed.Action is HelpAction)
        {
            return new CommandLine { Help = true };
        }

        string[] names = parsed.GetValue(syntax.Names) ?? [];
        string? unknown = Array.Find(names, n => n.StartsWith('-'));
        string? mistake = unknown is null ? parsed.Errors.Select(e => e.Message).FirstOrDefault()
            : $"'{unknown}' is not known; --help lists what is.";
        if (mistake is not null)
        {
            throw new LoadException(mistake);
        }

        string[] files = [.. names.Where(IsFile)];
        string? columns = parsed.GetValue(syntax.Columns);
        var line = new CommandLine
        {
            Files = files,
            Scenarios = Find([.. names.Except(files, StringComparer.Ordinal)]),
            Quick = parsed.GetValue(syntax.Quick),
            Check = parsed.GetValue(syntax.Check),
            Rounds = parsed.GetValue(syntax.Rounds),
            Json = parsed.GetValue(syntax.Json),
            Gate = parsed.GetValue(syntax.Gate),
            KeepsGate = parsed.GetValue(syntax.KeepGate),
            Columns = columns is null ? [] : EventsScenario.Choose(columns.Split(',')),
        };
        return line.FindMistake() is { } wrong ? throw new LoadException(wrong) : line;
    }

    /// <summary>Writes what there is to say of the options.</summary>
    public static void WriteOptions(TextWriter output) =>
        new Syntax().Parse(["--help"]).Invoke(new InvocationConfiguration { Output = output });

    private string? FindMistake() =>
        Files.Count > 0 && !Scenarios.Any(s => s.Name == BinlogScenario.Word)
            ? $"{Files[0]}: a file may stand behind the scenario {BinlogScenario.Word} alone."
        : Files.FirstOrDefault(f => !File.Exists(f)) is { } missing
            ? $"{missing} {(Directory.Exists(missing) ? "is a folder, not a recorded build" : "is not there")}."
        : Columns.Count > 0 && Scenarios is not [{ Name: EventsScenario.Word }]
            ? $"--columns chooses columns of the scenario {EventsScenario.Word} alone: run that by itself."
        : KeepsGate && Gate is null ? "--keep-gate needs --gate FILE, whose values it replaces."
        : null;

    /// <summary>Recorded builds to replay; no scenario has a name like one.</summary>
    private static bool IsFile(string word) =>
        word.Contains('/', StringComparison.Ordinal) || word.Contains(Path.DirectorySeparatorChar, StringComparison.Ordinal)
        || word.EndsWith(".binlog", StringComparison.OrdinalIgnoreCase) || (ScenarioList.Find(word) is null && File.Exists(word));

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

    /// <summary>The words there are.</summary>
    private sealed class Syntax
    {
        private readonly RootCommand _root;

        public Syntax()
        {
            Rounds.Validators.Add(result =>
            {
                if (result.Tokens is [{ Value: var text }] && !(int.TryParse(text, out int rounds) && rounds is >= 1 and <= MostRounds))
                {
                    result.AddError($"--rounds {text}: allowed are 1 to {MostRounds}.");
                }
            });
            _root = new RootCommand(
                "Measures Transport between processes, beside the physical floor and what people write today, in one run.")
            {
                Names, Quick, Rounds, Check, Gate, KeepGate, Json, Columns,
            };
        }

        public Argument<string[]> Names { get; } = new("SCENARIO")
        {
            Description = "Scenarios, groups of them, or all; behind binlog also recorded builds.", Arity = ArgumentArity.ZeroOrMore,
        };

        public Option<bool> Quick { get; } = new("--quick")
        {
            Description = "Few short rounds, and limits of their own for each target (the table shows them): that everything runs.",
        };

        public Option<int?> Rounds { get; } = new("--rounds")
        {
            Description = $"Interleaved rounds of every column; {LoadsCommand.FullRounds}, quick {LoadsCommand.QuickRounds}.",
            HelpName = "N",
        };

        public Option<bool> Check { get; } = new("--check") { Description = "Exit code 1, with names, if a target does not hold." };

        public Option<string> Gate { get; } = new("--gate")
        {
            Description = "Compares rows with committed values, measures what is off up to three times; exit code 1 if it stays so.",
            HelpName = "FILE",
        };

        public Option<bool> KeepGate { get; } = new("--keep-gate")
        {
            Description = "Writes the values of this run into that file instead.",
        };

        public Option<string> Json { get; } = new("--json")
        {
            Description = "Writes every round as JSON, with date, machine, commit and this command; page makes a page and plots of it.",
            HelpName = "FILE",
        };

        public Option<string> Columns { get; } = new("--columns")
        {
            Description = "Of the scenario events, run by itself, these columns alone; transport must be among them.", HelpName = "C,D",
        };

        public ParseResult Parse(IReadOnlyList<string> args) =>
            _root.Parse(args, new ParserConfiguration { ResponseFileTokenReplacer = null });
    }
}
