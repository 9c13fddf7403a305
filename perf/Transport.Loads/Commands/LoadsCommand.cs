using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
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
            var options = new RunOptions(line.Rounds ?? (line.Quick ? QuickRounds : FullRounds), line.Quick, floor, line.Files, Console.Error.WriteLine) { Columns = line.Columns };
            Machine machine = Machine.This();
            string load = RunStamp.LoadAverage();
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
            Save(line, RunStamp.Now(machine, args, load), options, rows, broken);
        }

        Console.WriteLine();
        foreach (string sentence in Verdict.Lines(rows, broken, line.Quick))
        {
            Console.WriteLine(sentence);
        }

        return Verdict.ExitCode(line.Check, rows, broken);
    }

    private static void Save(CommandLine line, RunStamp stamp, RunOptions options, List<Row> rows, List<string> broken)
    {
        foreach (string file in (string[])[line.Json ?? string.Empty, line.Markdown ?? string.Empty])
        {
            if (Path.GetDirectoryName(file) is { Length: > 0 } folder)
            {
                Directory.CreateDirectory(folder);
            }
        }

        if (line.Json is not null)
        {
            JsonReport.Write(line.Json, stamp, rows);
        }

        if (line.Svg is not null)
        {
            Plots.Write(line.Svg, stamp.Machine, rows);
        }

        if (line.Markdown is not null)
        {
            Markdown.Write(line.Markdown, stamp, options.Rounds, options.Quick, rows, broken);
        }
    }

    private static void Measure(IScenario scenario, RunOptions options, List<Row> rows, List<string> broken)
    {
        var clock = Stopwatch.StartNew();
        try
        {
            rows.AddRange(scenario.Run(options));
        }
        catch (LoadException fault)
        {
            broken.Add($"{scenario.Name}: {fault.Message}");
        }

        options.Say($"{scenario.Name}: {clock.Elapsed.TotalSeconds:f1} s");
    }
}
