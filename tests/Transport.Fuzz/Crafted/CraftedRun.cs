using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Threading.Tasks;
using Transport.Fuzz.Hostile;
using Transport.Fuzz.Inputs;
using Transport.Fuzz.Running;

namespace Transport.Fuzz.Crafted;

/// <summary><c>Transport.Fuzz crafted</c>: journals that somebody has sent, through every command of <c>transport</c> that reads one. A
/// process of its own runs the commands; if one ends it (a stack overflow cannot be caught), the next input is for another.</summary>
/// <param name="options">What the command line says.</param>
internal sealed class CraftedRun(FuzzOptions options)
{
    /// <summary>The word that runs the commands.</summary>
    public const string Worker = "crafted-worker";

    private const int MostFailures = 20;
    private static readonly TimeSpan MostTime = TimeSpan.FromMinutes(1);

    /// <summary>Runs all.</summary>
    /// <returns>0: nothing failed.</returns>
    public async Task<int> RunAsync()
    {
        if (!OperatingSystem.IsLinux())
        {
            Console.WriteLine("crafted journals: left out, the commands' output is caught on Linux alone");
            return 0;
        }

        Console.WriteLine($"crafted journals: seed {options.Seed}");
        var clock = Stopwatch.StartNew();
        string folder = ToolRuns.Folder("crafted");
        long next = 0, failures = 0;
        try
        {
            while (next < options.Inputs && failures < MostFailures)
            {
                Directory.CreateDirectory(folder);
                (bool ended, long failed) = await RunWorkerAsync(folder, next).ConfigureAwait(false);
                failures += failed;
                next = long.Parse(Now(folder), CultureInfo.InvariantCulture) + 1;
                if (!ended)
                {
                    failures++;
                    string kept = Keep(folder, next - 1, options.Crashes);
                    Console.WriteLine($"input {next - 1}: ended the process, or took more than {MostTime.TotalMinutes} min");
                    Console.WriteLine($"  kept in {kept}");
                }

                Directory.Delete(folder, recursive: true);
            }
        }
        finally
        {
            if (Directory.Exists(folder))
            {
                Directory.Delete(folder, recursive: true);
            }
        }

        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture, $"crafted journals: {next} inputs, {failures} failures, {clock.Elapsed.TotalSeconds:0} s"));
        return failures == 0 ? 0 : 1;
    }

    /// <summary>Runs the commands: a worker's main method.</summary>
    /// <param name="args">Folder, seed, first input, number of inputs, folder for what fails.</param>
    public static int RunWorker(string[] args)
    {
        string folder = args[1], journal = Path.Combine(folder, "journal");
        ulong seed = ulong.Parse(args[2], CultureInfo.InvariantCulture);
        long first = long.Parse(args[3], CultureInfo.InvariantCulture), count = long.Parse(args[4], CultureInfo.InvariantCulture);
        var tool = new ToolRuns(folder);
        using FileStream now = new(Path.Combine(folder, "now"), FileMode.Create, FileAccess.Write, FileShare.ReadWrite);
        int failures = 0;
        for (long input = first; input < count && failures < MostFailures; input++)
        {
            now.Position = 0;
            now.Write(System.Text.Encoding.ASCII.GetBytes(input.ToString(CultureInfo.InvariantCulture)));
            now.Flush();
            CraftedJournal.Write(journal, new Prng(seed + (ulong)input));
            bool all = input % 50 == 0;
            foreach (string[] command in all ? ToolRuns.Commands : [ToolRuns.Commands[(int)(input % ToolRuns.Commands.Count)]])
            {
                if (tool.Run(command, journal) is { } wrong)
                {
                    failures++;
                    tool.Report($"input {input}: {string.Join(' ', command)}: {wrong}");
                    tool.Report($"  kept in {Keep(folder, input, args[5])}");
                }
            }

            Directory.Delete(journal, recursive: true);
        }

        return failures;
    }

    private async Task<(bool Ended, long Failures)> RunWorkerAsync(string folder, long first)
    {
        ProcessStartInfo start = HostileRun.Again(
            Worker, folder, $"{options.Seed}", $"{first}", $"{options.Inputs}", options.Crashes);
        using Process worker = Process.Start(start)!;
        Task reading = ReadAsync(worker);
        string before = string.Empty;
        while (await Task.WhenAny(reading, Task.Delay(MostTime)).ConfigureAwait(false) != reading)
        {
            string now = Now(folder);
            if (now == before)
            {
                worker.Kill();
                break;
            }

            before = now;
        }

        await worker.WaitForExitAsync().ConfigureAwait(false);
        return worker.ExitCode is >= 0 and <= MostFailures ? (true, worker.ExitCode) : (false, 0);
    }

    /// <summary>Reads which input the worker is at.</summary>
    private static string Now(string folder)
    {
        using FileStream now = new(Path.Combine(folder, "now"), FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        using var reader = new StreamReader(now);
        return reader.ReadToEnd();
    }

    private static async Task ReadAsync(Process worker)
    {
        while (await worker.StandardOutput.ReadLineAsync().ConfigureAwait(false) is { } line)
        {
            Console.WriteLine(line);
        }
    }

    private static string Keep(string folder, long input, string crashes)
    {
        string kept = Path.GetFullPath(Path.Combine(crashes, $"crafted-{input}"));
        if (!Directory.Exists(kept) && Directory.Exists(Path.Combine(folder, "journal")))
        {
            Directory.CreateDirectory(kept);
            foreach (string file in Directory.GetFiles(Path.Combine(folder, "journal")))
            {
                File.Copy(file, Path.Combine(kept, Path.GetFileName(file)));
            }
        }

        return kept;
    }
}
