using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Transport.Files;

namespace Transport.Loads.Disks;

/// <summary><c>file-table DIR [SECONDS a cell] [SIZE,SIZE…]</c>: NuGet's table (NuGet.Client pull request 4186) from this library: files
/// and bytes in a given time, by size, both ways of writing, on the caller's thread ("sync") and by writers ("async").</summary>
internal static class FileTable
{
    public const string Word = "file-table";

    private const int Slices = 5;
    private const string Sizes = "1,1024,10240,102400,1048576,10485760,104857600";

    /// <summary>From here on files are removed at once; smaller ones at the end, since creating after many removals is slow on some file
    /// systems.</summary>
    private const int Large = 1 << 20;

    private static readonly (string Name, FileIo Io, int Writers)[] Ways =
    [
        ("stream sync", FileIo.Stream, 0), ("mmap sync", FileIo.Mmap, 0), ("stream async", FileIo.Stream, 2),
            ("mmap async", FileIo.Mmap, 2),
    ];

    /// <summary>Measures and prints.</summary>
    /// <param name="words">What stands behind the command's word.</param>
    /// <exception cref="LoadException">It cannot.</exception>
    public static int Run(string[] words)
    {
        string length = words.ElementAtOrDefault(1) ?? "2", sizes = words.ElementAtOrDefault(2) ?? Sizes;
        if (words.Length is 0 or > 3 || !double.TryParse(length, CultureInfo.InvariantCulture, out double seconds))
        {
            throw new LoadException($"{Word} DIR [SECONDS a cell] [SIZE,SIZE…]");
        }

        try
        {
            RunAsync(words[0], seconds, sizes).GetAwaiter().GetResult();
            return 0;
        }
        catch (Exception wrong) when (wrong is FormatException or TransportException or IOException)
        {
            throw new LoadException(wrong.Message);
        }
    }

    private static async Task RunAsync(string directory, double seconds, string list)
    {
        int[] sizes = [.. list.Split(',').Select(size => int.Parse(size, CultureInfo.InvariantCulture))];
        Console.WriteLine(FormattableString.Invariant(
            $"{seconds:0.#} s each in {Slices} slices by turns, in {directory}; files/s, MB/s; async = 2 writers"));
        Console.WriteLine($"{"size",10}" + string.Concat(Array.ConvertAll(Ways, w => $"{w.Name,24}")) + "   best");
        string root = Path.Combine(directory, "file-table-" + Path.GetRandomFileName());
        try
        {
            foreach (int size in sizes)
            {
                await RowAsync(root, size, seconds).ConfigureAwait(false);
            }
        }
        finally
        {
            Directory.Delete(root, true);
        }

        Console.WriteLine("TRANSPORT_FILE_IO=stream|mmap forces one of them; without it the default is that of the platform.");
    }

    private static async Task RowAsync(string directory, int size, double seconds)
    {
        var found = new (long Files, double Seconds)[Ways.Length];
        byte[] bytes = new byte[size];
        new Random(size).NextBytes(bytes);
        for (int slice = 0; slice < Slices; slice++)
        {
            for (int way = 0; way < Ways.Length; way++)
            {
                (long files, double took) = await SliceAsync(directory, bytes, Ways[way].Io, Ways[way].Writers, seconds / Slices)
                    .ConfigureAwait(false);
                found[way] = (found[way].Files + files, found[way].Seconds + took);
            }
        }

        double[] rates = Array.ConvertAll(found, f => f.Files / f.Seconds);
        Console.WriteLine($"{size,10}" + string.Concat(Array.ConvertAll(
            rates, r => FormattableString.Invariant($"{r,13:N0}{r * size / 1e6,11:N1}"))) + "   " + Ways[Best(rates)].Name);
    }

    private static int Best(double[] rates)
    {
        int best = 0;
        for (int i = 1; i < rates.Length; i++)
        {
            best = rates[i] > rates[best] ? i : best;
        }

        return best;
    }

    private static async Task<(long Files, double Seconds)> SliceAsync(
        string directory, byte[] bytes, FileIo io, int writers, double seconds)
    {
        string root = Path.Combine(directory, Path.GetRandomFileName());
        Directory.CreateDirectory(root);
        long files = 0, from = Stopwatch.GetTimestamp(), limit = Math.Max(1, (1L << 30) / Math.Max(bytes.Length, 1));
        FileOutput output = FileOutput.Into(root, new FileOutputOptions { Io = io, Writers = writers });
        await using (output.ConfigureAwait(false))
        {
            while (files < limit && Stopwatch.GetElapsedTime(from).TotalSeconds < seconds)
            {
                output.Write(FormattableString.Invariant($"d{files / 500}/f{files}"), bytes);
                files++;
            }

            await output.CompleteAsync().ConfigureAwait(false);
        }

        double took = Stopwatch.GetElapsedTime(from).TotalSeconds;
        if (bytes.Length >= Large)
        {
            Directory.Delete(root, true);
        }

        return (files, took);
    }
}
