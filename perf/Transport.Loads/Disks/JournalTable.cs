using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using Transport.Journal;

namespace Transport.Loads.Disks;

/// <summary><c>journal-table DIR [SECONDS a cell]</c>: measures the journal's back ends on the user's own disk.</summary>
internal static class JournalTable
{
    public const string Word = "journal-table";

    private const int Rounds = 5;
    private const int BodyBytes = 256;
    private const int InFlight = 4;
    private const double Better = 1.1;

    /// <summary>Producers that wait, records of one append.</summary>
    private static readonly (int Producers, int Together)[] Cells = [(1, 1), (2, 1), (4, 1), (8, 1), (16, 1), (4, 64)];

    /// <summary>Measures and prints.</summary>
    /// <param name="words">What stands behind the command's word.</param>
    /// <exception cref="LoadException">It cannot.</exception>
    public static int Run(string[] words)
    {
        string length = words.ElementAtOrDefault(1) ?? "2";
        if (words.Length is 0 or > 2 || !double.TryParse(length, CultureInfo.InvariantCulture, out double seconds))
        {
            throw new LoadException($"{Word} DIR [SECONDS a cell]");
        }

        try
        {
            Print(words[0], seconds);
            return 0;
        }
        catch (JournalException wrong)
        {
            throw new LoadException(wrong.Message);
        }
    }

    private static void Print(string directory, double seconds)
    {
        Say($"{BodyBytes}-byte packets, policy group; {seconds:0.#} s each in {Rounds} rounds by turns, in {directory}; medians");
        Say($"{"producers x packets",20}{"write/s",12}{"p50 us",10}{"uring/s",12}{"p50 us",10}{"uring/write",13}");
        int better = 0;
        foreach ((int producers, int together) in Cells)
        {
            var write = new Sample[Rounds];
            var uring = new Sample[Rounds];
            for (int round = 0; round < Rounds; round++)
            {
                write[round] = Measure(directory, JournalBackEnd.Write, producers, together, seconds / Rounds);
                uring[round] = Measure(directory, JournalBackEnd.Uring, producers, together, seconds / Rounds);
            }

            double ratio = Median(uring.Zip(write, static (u, w) => u.Rate / w.Rate));
            better += ratio >= Better ? 1 : 0;
            Say(Text($"{$"{producers} x {together}",20}{Median(write.Select(static s => s.Rate)),12:N0}")
                + Text($"{Median(write.Select(static s => s.Microseconds)),10:N0}{Median(uring.Select(static s => s.Rate)),12:N0}")
                + Text($"{Median(uring.Select(static s => s.Microseconds)),10:N0}{ratio,13:0.00}"));
        }

        Console.WriteLine(better == 0
            ? "write (the default) is the better one here."
            : $"uring is at least a tenth faster in {better} of {Cells.Length} rows: where yours is among them, set "
                + "TRANSPORT_JOURNAL_IO=uring, or the option BackEnd.");
    }

    private static Sample Measure(string directory, JournalBackEnd backEnd, int producers, int together, double seconds)
    {
        string path = Path.Combine(directory, "journal-table-" + Path.GetRandomFileName());
        try
        {
            JournalOptions options = new JournalOptions
            {
                BackEnd = backEnd,
                CommitsInFlight = InFlight,
                DropOldestWhenFull = true,
                MaxBytes = 256 << 20,
            };
            using PacketJournal journal = PacketJournal.Open(path, options);
            JournalPacket[] packets = [.. Enumerable.Repeat(new JournalPacket(new JournalNode("n1"), 1024, new byte[BodyBytes]), together)];
            long appended = 0;
            long until = Stopwatch.GetTimestamp() + (long)(seconds * Stopwatch.Frequency);
            Thread[] threads = [.. Enumerable.Range(0, producers).Select(_ => new Thread(() =>
            {
                long own = 0;
                while (Stopwatch.GetTimestamp() < until)
                {
                    own += journal.Append(packets) > 0 ? together : 0;
                }

                Interlocked.Add(ref appended, own);
            }))];
            long began = Stopwatch.GetTimestamp();
            Array.ForEach(threads, static t => t.Start());
            Array.ForEach(threads, static t => t.Join());
            double took = Stopwatch.GetElapsedTime(began).TotalSeconds;
            return new Sample(appended / took, journal.Status.CommitMedian.TotalMicroseconds);
        }
        finally
        {
            if (Directory.Exists(path))
            {
                Directory.Delete(path, recursive: true);
            }
        }
    }

    private static double Median(System.Collections.Generic.IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        return sorted[sorted.Length / 2];
    }

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private static void Say(FormattableString text) => Console.WriteLine(Text(text));

    private static void Say(string text) => Console.WriteLine(text);

    private readonly record struct Sample(double Rate, double Microseconds);
}
