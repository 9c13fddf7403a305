using System;
using System.Buffers;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using Transport.Journal;
using Transport.MSBuild;

namespace Transport.Fuzz.Crafted;

/// <summary><c>Transport.Fuzz large</c>: 50 MB of each shape through every command, each a process of its own: how long it takes, and how
/// much memory.</summary>
internal static class LargeRun
{
    private const long Bytes = 50_000_000;
    private const int MostSeconds = 5, MostMB = 500;

    /// <summary>Runs all whose name contains a text.</summary>
    /// <returns>0: none took more than it may.</returns>
    public static int Run(string shape, string only)
    {
        string folder = ToolRuns.Folder("large"), journal = Path.Combine(folder, "journal");
        int failures = 0;
        Console.WriteLine("     s    MB");
        foreach ((string name, Func<int, (string Node, BuildEvent Event)> make) in Shapes.All.Where(
            one => one.Name.Contains(shape, StringComparison.Ordinal)))
        {
            Directory.CreateDirectory(folder);
            try
            {
                Console.WriteLine($"-- {name}: {Write(journal, make):N0} events");
                foreach (string[] command in ToolRuns.Single.Where(
                    command => string.Join(' ', command).Contains(only, StringComparison.Ordinal)))
                {
                    (double seconds, double megabytes, string end) = Measure(ToolRuns.Words(command, journal, folder));
                    bool isFine = seconds <= MostSeconds && megabytes <= MostMB && end.Length == 0;
                    failures += isFine ? 0 : 1;
                    Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                        $"{seconds,6:0.0} {megabytes,5:0}  {string.Join(' ', command)}{(isFine ? "" : "  <--")} {end}"));
                }
            }
            finally
            {
                Directory.Delete(folder, recursive: true);
            }
        }

        Console.WriteLine($"large journals: {failures} took more than {MostSeconds} s or {MostMB} MB, or failed");
        return failures == 0 ? 0 : 1;
    }

    private static int Write(string folder, Func<int, (string Node, BuildEvent Event)> make)
    {
        var options = new JournalOptions { Sync = JournalSync.None, SegmentBytes = 64 << 20 };
        var body = new ArrayBufferWriter<byte>();
        using PacketJournal journal = PacketJournal.Open(folder, options);
        long written = 0;
        for (int i = 0; ; i++)
        {
            (string node, BuildEvent one) = make(i);
            body.Clear();
            BuildEvent.PacketType.Formatter.Write(body, one);
            _ = journal.Append(new JournalNode(node), BuildEvent.PacketType.Id, body.WrittenSpan);
            written += body.WrittenCount + 24;
            if (written >= Bytes)
            {
                return i + 1;
            }
        }
    }

    private static (double Seconds, double Megabytes, string End) Measure(string[] words)
    {
        const int MostWait = 60_000;
        string tool = Assembly.Load("Transport.Tool").Location;
        var start = new ProcessStartInfo("/bin/sh", ["-c", "exec \"$@\" >/dev/null", "sh", Environment.ProcessPath!, tool, .. words])
        {
            RedirectStandardError = true, UseShellExecute = false,
        };
        long from = TimeProvider.System.GetTimestamp();
        using Process process = Process.Start(start)!;
        var errors = process.StandardError.ReadToEndAsync();
        double peak = 0;
        while (!process.WaitForExit(10))
        {
            peak = Math.Max(peak, PeakOf(process.Id));
            if (TimeProvider.System.GetElapsedTime(from).TotalMilliseconds > MostWait)
            {
                process.Kill();
            }
        }

        double seconds = TimeProvider.System.GetElapsedTime(from).TotalSeconds;
        string said = errors.GetAwaiter().GetResult();
        return (seconds, peak, process.ExitCode is >= 0 and <= 3 && !ToolRuns.IsDefect(said) ? ""
            : $"exit code {process.ExitCode}: {said[..Math.Min(said.Length, 400)]}");
    }

    /// <summary>Returns the most memory that a process has had, in MB.</summary>
    private static double PeakOf(int id)
    {
        try
        {
            string line = File.ReadLines($"/proc/{id}/status").FirstOrDefault(
                line => line.StartsWith("VmHWM:", StringComparison.Ordinal)) ?? "0";
            string digits = string.Concat(line.Where(char.IsAsciiDigit));
            return digits.Length == 0 ? 0 : double.Parse(digits, CultureInfo.InvariantCulture) / 1000;
        }
        catch (IOException)
        {
            return 0;   // it has just ended
        }
    }
}
