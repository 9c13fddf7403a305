using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Transport.Fuzz.Targets;

namespace Transport.Fuzz.Running;

/// <summary>Gives each target its share of inputs, in turns, and says what came of it.</summary>
internal sealed class FuzzRun(FuzzOptions options, IReadOnlyList<FuzzTarget> targets)
{
    private const int InputsATurn = 20_000;
    private const int MostCrashesATarget = 10;

    private readonly CrashFiles _crashes = new(options.Crashes);
    private readonly List<Row> _rows = [.. targets.Select(target => new Row(target, new Corpus(target, options.Seed)))];
    private Exception? _unobserved;

    /// <summary>Runs.</summary>
    /// <returns>The exit code.</returns>
    public int Run()
    {
        Console.WriteLine($"seed {options.Seed}; the same inputs again: --seed {options.Seed} "
            + (options.Minutes > 0 ? $"--minutes {options.Minutes}" : $"--inputs {options.Inputs}")
            + (options.Target is null ? string.Empty : $" --target {options.Target}"));
        TaskScheduler.UnobservedTaskException += (_, e) => _unobserved ??= e.Exception;
        using (var watchdog = new Watchdog(_crashes))
        {
            long started = TimeProvider.System.GetTimestamp();
            int shares = _rows.Sum(row => row.Target.Share);
            while (!IsOver(started))
            {
                foreach (Row row in _rows)
                {
                    long turn = Math.Max(1, Math.Min(InputsATurn, options.Inputs) * row.Target.Share / shares);
                    for (long i = 0; i < turn && row.Crashes < MostCrashesATarget; i++)
                    {
                        RunOne(row, row.Corpus.Next(), watchdog);
                    }
                }

                SeeUnobserved();
            }
        }

        GC.Collect();
        GC.WaitForPendingFinalizers();
        SeeUnobserved();
        return Report();
    }

    private bool IsOver(long started) => options.Minutes > 0
        ? TimeProvider.System.GetElapsedTime(started).TotalMinutes >= options.Minutes
        : _rows.Sum(row => row.Inputs) >= options.Inputs;

    private void RunOne(Row row, byte[] input, Watchdog watchdog)
    {
        watchdog.Begin(row.Target, input);
        long started = TimeProvider.System.GetTimestamp();
        try
        {
            row.Corpus.Note(input, row.Target.Run(input));
        }
        catch (Exception failure)
        {
            row.Crashes++;
            _crashes.Keep(row.Target, input, failure);
        }

        long ticks = TimeProvider.System.GetTimestamp() - started;
        row.Ticks += ticks;
        row.Slowest = Math.Max(row.Slowest, ticks);
        row.Inputs++;
    }

    private void SeeUnobserved()
    {
        if (_unobserved is { } exception)
        {
            _unobserved = null;
            _crashes.Keep(_rows[_rows.Count - 1].Target, [], exception, shorten: false);
        }
    }

    private int Report()
    {
        double scale = 1e6 / TimeProvider.System.TimestampFrequency;
        Console.WriteLine($"{"target",-22} {"inputs",10} {"us each",9} {"slowest ms",11} {"seeds",6} {"new",7} {"failed",7}");
        foreach (Row row in _rows)
        {
            Console.WriteLine($"{row.Target.Name,-22} {row.Inputs,10:N0} {row.Ticks * scale / Math.Max(1, row.Inputs),9:N1} "
                + $"{row.Slowest * scale / 1000,11:N1} {row.Corpus.Seeds,6} {row.Corpus.Novelties,7:N0} {row.Crashes,7}");
        }

        Console.WriteLine($"{_rows.Sum(row => row.Inputs):N0} inputs in {_rows.Sum(row => row.Ticks) * scale / 1e6:N1} s, "
            + $"{_crashes.Count} failures");
        return _crashes.Count == 0 ? 0 : 1;
    }

    private sealed class Row(FuzzTarget target, Corpus corpus)
    {
        public FuzzTarget Target => target;

        public Corpus Corpus => corpus;

        public long Inputs { get; set; }

        public long Ticks { get; set; }

        public long Slowest { get; set; }

        public int Crashes { get; set; }
    }
}
