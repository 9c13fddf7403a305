using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Scenarios;
using Transport.Loads.Scratch;

namespace Transport.Loads.Commands;

/// <summary>The main process: runs the scenarios, prints the table, judges.</summary>
internal static class LoadsCommand
{
    /// <summary>The interleaved rounds of a full run.</summary>
    public const int FullRounds = 15;

    /// <summary>Those of a quick one.</summary>
    public const int QuickRounds = 3;

    private const int GateTries = 3;
    private const int MoreRounds = 3;

    public static int Run(string[] args)
    {
        CommandLine line;
        Outputs outputs;
        Gate? gate;
        try
        {
            line = CommandLine.Parse(args);
            outputs = new Outputs(line);
            gate = line.Gate is null || line.KeepsGate ? null : new Gate(line.Gate);
            if (!line.Help)
            {
                outputs.Try();
            }
        }
        catch (LoadException wrong)
        {
            Console.Error.WriteLine(wrong.Message);
            return 2;
        }

        if (line.Help)
        {
            Help.Write(Console.Out);
            return 0;
        }

        var rows = new List<Row>();
        var broken = new List<string>();
        using (var interruption = new Interruption(Console.Error.WriteLine))
        {
            foreach (string left in new Leftovers(ScratchPath.Parents).RemoveOfTheExited())
            {
                Console.Error.WriteLine($"{left}, which an earlier run left, cannot be removed.");
            }

            using var floor = new CFloor();
            var options = new RunOptions(line.Rounds ?? (line.Quick ? QuickRounds : FullRounds), line.Quick, floor, line.Files,
                Console.Error.WriteLine) { Columns = line.Columns };
            Machine machine = Machine.This();
            string load = RunStamp.LoadAverage();
            Console.WriteLine($"{machine}; {options.Rounds} rounds{(line.Quick ? ", quick" : string.Empty)}");
            if (floor.Missing is not null)
            {
                Console.WriteLine($"bytes: not measured ({floor.Missing})");
            }

            foreach (IScenario scenario in line.Scenarios)
            {
                Measure(scenario, options, rows, broken, interruption);
            }

            Console.WriteLine();
            Table.Write(Console.Out, rows);
            outputs.Save(new Results(RunStamp.Now(machine, args, load), options.Rounds, line.Quick, rows, [.. broken]), broken);
            if (gate is not null)
            {
                Compare(gate, line.Scenarios, options, rows, broken, interruption);
            }
        }

        Console.WriteLine();
        foreach (string sentence in Verdict.Lines(rows, broken, line.Quick).Concat(gate?.Lines() ?? []))
        {
            Console.WriteLine(sentence);
        }

        return gate is { Holds: false } ? 1 : Verdict.ExitCode(line.Check, rows, broken);
    }

    /// <summary>Compares what was measured, and measures again what is off, in more rounds: the few of a quick run are off by
    /// chance.</summary>
    private static void Compare(
        Gate gate, IReadOnlyList<IScenario> scenarios, RunOptions options, List<Row> rows, List<string> broken, Interruption interruption)
    {
        gate.Compare([.. scenarios.Select(s => s.Name)], rows);
        RunOptions more = options with { Rounds = options.Rounds * MoreRounds };
        for (int tried = 1; tried < GateTries && !gate.Holds; tried++)
        {
            string[] off = [.. gate.ScenariosOff];
            options.Say($"gate: off after {tried} of {GateTries} tries, measured again: {string.Join(", ", off)}");
            var again = new List<Row>();
            foreach (IScenario scenario in scenarios.Where(s => off.Contains(s.Name, StringComparer.Ordinal)))
            {
                Measure(scenario, more, again, broken, interruption);
            }

            gate.Compare(off, again);
        }
    }

    private static void Measure(IScenario scenario, RunOptions options, List<Row> rows, List<string> broken, Interruption interruption)
    {
        var clock = Stopwatch.StartNew();
        try
        {
            rows.AddRange(scenario.Run(options));
        }
        catch (Exception fault)
        {
            // Whatever it is, those before are not lost for it, and those behind are measured; what no scenario foresees is reported whole.
            interruption.WaitForTheEndIfStopped();
            broken.Add($"{scenario.Name}: {(fault is LoadException ? fault.Message : $"{fault.GetType().Name}: {fault.Message}")}");
            if (fault is not LoadException)
            {
                options.Say(fault.ToString());
            }
        }

        options.Say($"{scenario.Name}: {clock.Elapsed.TotalSeconds:f1} s");
    }
}
