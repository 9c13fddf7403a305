using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Chaos.Days;

/// <summary>Plays rounds of one family, two at a time, and has each judged by days.py, which shares no code with the library.</summary>
internal sealed class DayRun(DayOptions options)
{
    public const string Families = "spill keep pools stops streams handlers loops";

    /// <summary>A round that is not over by then hangs: all of its waits have shorter bounds.</summary>
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(60);

    private readonly Lock _gate = new();
    private int _played, _broken, _next;

    public static bool Knows(string family) => Families.Split(' ').Contains(family);

    /// <returns>0: every promise held; 1: one was broken.</returns>
    public async Task<int> RunAsync()
    {
        long begun = Stopwatch.GetTimestamp();
        await Task.WhenAll(Enumerable.Range(0, 2).Select(_ => Task.Run(async () =>
        {
            while (Stopwatch.GetElapsedTime(begun).TotalSeconds < options.Seconds && Interlocked.Increment(ref _next) is var number
                && number <= options.Rounds)
            {
                await PlayAsync(unchecked(options.Seed + number - 1));
            }
        })));
        Console.WriteLine(FormattableString.Invariant(
            $"{options.Family}: {_played} rounds from seed {options.Seed}, {_broken} broke a promise, ")
            + FormattableString.Invariant($"{Stopwatch.GetElapsedTime(begun).TotalSeconds:0} s"));
        return _broken == 0 && _played > 0 ? 0 : 1;
    }

    private IDay Make(int seed, string folder) => options.Family switch
    {
        "spill" => new SpillDay(seed, folder),
        "keep" => new KeepDay(seed, folder),
        "pools" => new PoolDay(seed, folder),
        "stops" => new StopDay(seed, folder),
        "streams" => new StreamDay(seed, folder),
        "handlers" => new HandlerDay(seed, folder),
        "loops" => new LoopDay(seed, folder),
        _ => throw new ArgumentException(options.Family),
    };

    private async Task PlayAsync(int seed)
    {
        string folder = Directory.CreateTempSubdirectory("transport-day-").FullName;
        string wrong;
        try
        {
            Task playing = Make(seed, folder).RunAsync();
            wrong = await Task.WhenAny(playing, Task.Delay(Longest)) == playing ? string.Empty
                : $"it hangs after {Longest.TotalSeconds:0} s\n";
            await (wrong.Length == 0 ? playing : Task.CompletedTask);
        }
        catch (Exception e)
        {
            wrong = $"it threw {e.GetType().Name}: {e.Message}\n{string.Join('\n', (e.StackTrace ?? string.Empty).Split('\n').Take(3))}\n";
        }

        wrong += await JudgeAsync(folder);
        lock (_gate)
        {
            _played++;
            _broken += wrong.Length > 0 ? 1 : 0;
            if (wrong.Length > 0)
            {
                Console.WriteLine(FormattableString.Invariant($"seed {seed}: {wrong.TrimEnd()}"));
            }
        }

        if (wrong.Length > 0 && options.Keep.Length > 0)
        {
            string name = FormattableString.Invariant($"{options.Family}-{seed}");
            string kept = Directory.CreateDirectory(Path.Combine(options.Keep, name)).FullName;
            foreach (string file in Directory.GetFiles(folder, "*.facts"))
            {
                File.Copy(file, Path.Combine(kept, Path.GetFileName(file)), overwrite: true);
            }
        }

        Directory.Delete(folder, recursive: true);
    }

    private async Task<string> JudgeAsync(string folder)
    {
        string judge = Path.Combine(AppContext.BaseDirectory, "judges", "days.py");
        using Process process = Process.Start(new ProcessStartInfo("/usr/bin/python3", [judge, options.Family, folder])
        {
            UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true,
        })!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string said = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return process.ExitCode == 0 ? string.Empty : said + await errors;
    }
}
