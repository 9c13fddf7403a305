using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using Transport.Loads.Report;
using Transport.Loads.Rivals;
using Transport.Loads.Scenarios;

namespace Transport.Loads.Commands;

/// <summary>The main process: runs the scenarios, prints the table, judges.</summary>
internal static class LoadsCommand
{
    private const int FullRounds = 15;
    private const int QuickRounds = 3;

    public static int Run(string[] args)
    {
        CommandLine line;
        try
        {
            line = CommandLine.Parse(args);
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
        using (var floor = new CFloor())
        {
            var options = new RunOptions(line.Rounds ?? (line.Quick ? QuickRounds : FullRounds), line.Quick, floor, Console.Error.WriteLine);
            Machine machine = Machine.This();
            Console.WriteLine($"{machine}; {options.Rounds} rounds{(line.Quick ? ", quick" : string.Empty)}");
            if (floor.Missing is not null)
            {
                Console.WriteLine($"bytes: not measured ({floor.Missing})");
            }

            foreach (IScenario scenario in line.Scenarios)
            {
                Measure(scenario, options, rows, broken);
            }

            Console.WriteLine();
            Table.Write(Console.Out, rows);
            if (line.Json is not null)
            {
                JsonReport.Write(line.Json, machine, rows);
            }

            if (line.Svg is not null)
            {
                Plots.Write(line.Svg, machine, rows);
            }
        }

        return Judge(line.Check, rows, broken);
    }

    private static void Measure(IScenario scenario, RunOptions options, List<Row> rows, List<string> broken)
    {
        var clock = Stopwatch.StartNew();
        try
        {
            rows.AddRange(scenario.Run(options));
            options.Say($"{scenario.Name}: {clock.Elapsed.TotalSeconds:f1} s");
        }
        catch (LoadException fault)
        {
            broken.Add($"{scenario.Name}: {fault.Message}");
        }
    }

    private static int Judge(bool check, List<Row> rows, List<string> broken)
    {
        foreach (string fault in broken)
        {
            Console.Error.WriteLine("FAILED: " + fault);
        }

        if (!check)
        {
            return broken.Count == 0 ? 0 : 1;
        }

        Row[] missed = [.. rows.Where(r => r.Holds == false)];
        int judged = rows.Count(r => r.Holds is not null);
        Console.WriteLine();
        Console.WriteLine($"{judged - missed.Length} of {judged} targets hold.");
        foreach (Row row in missed)
        {
            Console.WriteLine($"does not hold: {row.Name} ({row.TargetText})");
        }

        return broken.Count == 0 && missed.Length == 0 ? 0 : 1;
    }
}
