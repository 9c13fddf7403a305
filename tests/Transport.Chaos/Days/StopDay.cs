using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Transport.Chaos.Days;

/// <summary>A host with a pool of workers, whose rules of logging are reloaded, and which SIGTERM stops at any moment: it alone, or all of
/// its session at once. Sometimes a worker is killed before.</summary>
internal sealed class StopDay(int seed, string folder) : IDay
{
    private readonly Random _random = new(seed);

    public async Task RunAsync()
    {
        using var facts = new Facts(folder, "outside");
        var start = new ProcessStartInfo("/usr/bin/env", ["--default-signal=INT,TERM", "setsid", Environment.ProcessPath!, "dayhost", folder,
            seed.ToString(CultureInfo.InvariantCulture)])
        {
            RedirectStandardOutput = true, RedirectStandardError = true, UseShellExecute = false,
        };
        using Process main = Process.Start(start)!;
        Task lines = Task.WhenAll(ReadAsync(main.StandardOutput, facts), ReadAsync(main.StandardError, facts));
        int after = _random.Next(_random.Next(2) == 0 ? 300 : 1500);
        bool all = _random.Next(2) == 0;
        if (_random.Next(5) == 0 && after > 600)
        {
            await Task.Delay(500);
            if (Session(main.Id).FirstOrDefault(process => process != main.Id) is var worker and not 0)
            {
                facts.Note($"kill {worker}");
                Native.Signal(worker, Native.Kill);
            }

            after -= 500;
        }

        await Task.Delay(after);
        int[] whom = all && Session(main.Id) is { Length: > 0 } session ? session : [main.Id];   // it may not be one yet
        facts.Note($"stop {string.Join(' ', whom)}");

        // Pool and main node have 3 s each for their workers, and the host a moment for itself.
        facts.Note($"begin stop 9000");
        foreach (int process in whom)
        {
            Native.Signal(process, Native.Terminate);
        }

        await main.WaitForExitAsync();
        facts.Note($"end stop");
        facts.Note($"code {main.ExitCode}");
        facts.Note($"begin gone 5000");
        while (Session(main.Id).Length > 0)
        {
            await Task.Delay(10);
        }

        facts.Note($"end gone");
        await lines;
    }

    private static async Task ReadAsync(StreamReader from, Facts facts)
    {
        while (await from.ReadLineAsync() is { } line)
        {
            facts.Note($"line {line}");
        }
    }

    /// <summary>Finds the processes of a session that have not exited.</summary>
    private static int[] Session(int leader) => [.. Directory.GetDirectories("/proc")
        .Select(path => int.TryParse(Path.GetFileName(path), CultureInfo.InvariantCulture, out int id) ? id : 0)
        .Where(id => id > 0 && IsOf(leader, id))];

    private static bool IsOf(int leader, int process)
    {
        try
        {
            string text = File.ReadAllText(FormattableString.Invariant($"/proc/{process}/stat"));
            string[] fields = text[(text.LastIndexOf(')') + 2)..].Split(' ');
            return fields[0] is not ("Z" or "X") && fields[3] == leader.ToString(CultureInfo.InvariantCulture);
        }
        catch (IOException)
        {
            return false;
        }
    }
}
