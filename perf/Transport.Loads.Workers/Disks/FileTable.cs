using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Transport.Files;

namespace Transport.Loads.Disks;

/// <summary><c>file-table DIR [SECONDS a cell] [SIZE,SIZE…]</c>: NuGet's table (NuGet.Client pull request 4186): files and bytes in a given
/// time, by size; this library's two ways of writing, on the caller's thread ("sync") and by writers ("async"), beside .NET's own calls.
/// Runs on either runtime.</summary>
internal static class FileTable
{
    public const string Word = "file-table";

    private const int Buffer = 4096;
    private const string Sizes = "1,1024,10240,102400,1048576,10485760,104857600";

    /// <summary>From here on files are removed at once; smaller ones at the end, since creating after many removals is slow on some file
    /// systems.</summary>
    private const int Large = 1 << 20;

    private static readonly (string Name, Func<string, byte[], double, Task<long>> Write)[] Ways =
    [
        ("stream sync", (root, bytes, seconds) => OutputAsync(root, bytes, seconds, FileIo.Stream, 0)),
        ("mmap sync", (root, bytes, seconds) => OutputAsync(root, bytes, seconds, FileIo.Mmap, 0)),
        ("stream async", (root, bytes, seconds) => OutputAsync(root, bytes, seconds, FileIo.Stream, 2)),
        ("mmap async", (root, bytes, seconds) => OutputAsync(root, bytes, seconds, FileIo.Mmap, 2)),
        ("default", (root, bytes, seconds) => OutputAsync(root, bytes, seconds, FileIo.Auto, null)),
        ("WriteAsync", (root, bytes, seconds) => EachAsync(root, seconds, bytes, async path =>
        {
            using var file = new FileStream(path, FileMode.CreateNew, FileAccess.Write, FileShare.None, Buffer, useAsync: true);
            await file.WriteAsync(bytes, 0, bytes.Length).ConfigureAwait(false);
        })),
#if NET
        ("WriteAllBytesAsync", (root, bytes, seconds) => EachAsync(root, seconds, bytes, path => File.WriteAllBytesAsync(path, bytes))),
#endif
    ];

    /// <summary>Measures and prints.</summary>
    /// <param name="words">What stands behind the command's word.</param>
    /// <exception cref="LoadException">It cannot.</exception>
    public static int Run(string[] words)
    {
        string length = words.ElementAtOrDefault(1) ?? "2", sizes = words.ElementAtOrDefault(2) ?? Sizes;
        if (words.Length is 0 or > 3 || !double.TryParse(length, NumberStyles.Float, CultureInfo.InvariantCulture, out double seconds))
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
        string runtime = Type.GetType("Mono.Runtime") is null ? ".NET " + Environment.Version.ToString(3) : "Mono";
        Console.WriteLine(FormattableString.Invariant(
            $"{runtime}: {seconds:0.#} s each in {Ways.Length} slices by turns, in {directory}; files/s, MB/s; async = 2 writers"));
        Console.WriteLine($"{"size",10}" + string.Concat(Array.ConvertAll(Ways, w => $"{w.Name,21}")) + "   best");
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
    }

    private static async Task RowAsync(string directory, int size, double seconds)
    {
        var found = new (long Files, double Seconds)[Ways.Length];
        double length = seconds / Ways.Length;
        byte[] bytes = new byte[size];
        new Random(size).NextBytes(bytes);

        // In another order each time: what comes late, or behind mappings, is up to a third slower on tmpfs.
        var random = new Random(1);
        for (int slice = 0; slice < Ways.Length; slice++)
        {
            foreach (int way in Enumerable.Range(0, Ways.Length).OrderBy(_ => random.Next()).ToArray())
            {
                (long files, double took) = await SliceAsync(directory, bytes, Ways[way].Write, length).ConfigureAwait(false);
                found[way] = (found[way].Files + files, found[way].Seconds + took);
            }
        }

        double[] rates = Array.ConvertAll(found, f => f.Files / f.Seconds);
        Console.WriteLine($"{size,10}" + string.Concat(Array.ConvertAll(
            rates, r => FormattableString.Invariant($"{r,11:N0}{r * size / 1e6,10:N1}"))) + "   " + Ways[Best(rates)].Name);
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
        string directory, byte[] bytes, Func<string, byte[], double, Task<long>> write, double seconds)
    {
        string root = Path.Combine(directory, Path.GetRandomFileName());
        Directory.CreateDirectory(root);
        var clock = Stopwatch.StartNew();
        long files = await write(root, bytes, seconds).ConfigureAwait(false);
        double took = clock.Elapsed.TotalSeconds;
        if (bytes.Length >= Large)
        {
            Directory.Delete(root, true);
        }

        return (files, took);
    }

    private static async Task<long> OutputAsync(string root, byte[] bytes, double seconds, FileIo io, int? writers)
    {
        FileOutput output = FileOutput.Into(root, new FileOutputOptions { Io = io, Writers = writers });
        await using (output.ConfigureAwait(false))
        {
            long files = 0;
            foreach (string path in Paths(bytes, seconds))
            {
                output.Write(path, bytes);
                files++;
            }

            await output.CompleteAsync().ConfigureAwait(false);
            return files;
        }
    }

    private static async Task<long> EachAsync(string root, double seconds, byte[] bytes, Func<string, Task> write)
    {
        long files = 0;
        foreach (string path in Paths(bytes, seconds))
        {
            string full = Path.Combine(root, path);
            if (files % 500 == 0)
            {
                Directory.CreateDirectory(Path.GetDirectoryName(full)!);
            }

            await write(full).ConfigureAwait(false);
            files++;
        }

        return files;
    }

    /// <summary>Names files, 500 in a folder, until the time is over or a gigabyte is written.</summary>
    private static IEnumerable<string> Paths(byte[] bytes, double seconds)
    {
        long limit = Math.Max(1, (1L << 30) / Math.Max(bytes.Length, 1));
        var clock = Stopwatch.StartNew();
        for (long files = 0; files < limit && clock.Elapsed.TotalSeconds < seconds; files++)
        {
            yield return FormattableString.Invariant($"d{files / 500}/f{files}");
        }
    }
}
