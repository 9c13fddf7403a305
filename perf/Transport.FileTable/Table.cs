using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Threading.Tasks;
using Transport.Files;

namespace Transport.FileTable;

/// <summary>NuGet's table (NuGet.Client pull request 4186) from this library: files and bytes in a given time, by size, both ways of
/// writing, on the caller's thread ("sync") and by writers ("async").</summary>
internal static class Table
{
    private const int Slices = 5;

    /// <summary>From here on files are removed at once; smaller ones at the end, since creating after many removals is slow on some file
    /// systems.</summary>
    private const int Large = 1 << 20;

    private static readonly (string Name, FileIo Io, int Writers)[] Ways =
    [
        ("stream sync", FileIo.Stream, 0), ("mmap sync", FileIo.Mmap, 0), ("stream async", FileIo.Stream, 2),
            ("mmap async", FileIo.Mmap, 2),
    ];

    public static async Task<int> RunAsync(string directory, Words words)
    {
        double seconds = double.Parse(words.Get("--seconds", "2"), CultureInfo.InvariantCulture);
        int[] sizes = words.List("--sizes", "1,1024,10240,102400,1048576,10485760,104857600");
        Console.WriteLine(FormattableString.Invariant(
            $"{seconds:0.#} s each in {Slices} slices by turns, in {directory}; files/s, MB/s; async = 2 writers"));
        Console.WriteLine($"{"size",10}" + string.Concat(Array.ConvertAll(Ways, w => $"{w.Name,24}")) + "   best");
        string root = Path.Combine(directory, "fileio-" + Path.GetRandomFileName());
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
        return 0;
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
