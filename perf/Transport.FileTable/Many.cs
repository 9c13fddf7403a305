using System;
using System.Diagnostics;
using System.IO;
using System.Threading.Tasks;
using Transport.Files;

namespace Transport.FileTable;

/// <summary>Many small files in some directories: one line "ms CPU-ms" a round. Directories are left for the caller to remove: creating
/// after many removals is slow on some file systems.</summary>
internal static class Many
{
    public static async Task<int> RunAsync(string directory, Words words)
    {
        int files = words.Get("--files", 20_000), folders = words.Get("--folders", 200), rounds = words.Get("--rounds", 1);
        byte[] bytes = new byte[words.Get("--size", 2048)];
        new Random(1).NextBytes(bytes);
        string trace = words.Get("--trace", string.Empty);
        using ChromeTrace? chrome = trace.Length > 0 ? ChromeTrace.Create(trace) : null;
        var options = new FileOutputOptions
        {
            Writers = words.Get("--writers", 2),
            Io = words.Get("--io", "stream") == "mmap" ? FileIo.Mmap : FileIo.Stream,
            Sync = Enum.Parse<FileSync>(words.Get("--sync", "none"), ignoreCase: true),
            MemoryBudget = (long)words.Get("--budget", 32) << 20,
            Trace = chrome,
        };
        var entry = new FileEntry { Mode = 0x1A4, Modified = words.Has("--times") ? new FileTime(1_700_000_000) : null };
        for (int round = 0; round < rounds; round++)
        {
            string target = Path.Combine(directory, FormattableString.Invariant($"many{round}"));
            long from = Stopwatch.GetTimestamp();
            TimeSpan cpu = Environment.CpuUsage.TotalTime;
            if (words.Has("--net"))
            {
                Plain(target, files, folders, bytes);
            }
            else
            {
                await WriteAsync(target, files, folders, bytes, entry, options).ConfigureAwait(false);
            }

            double ms = Stopwatch.GetElapsedTime(from).TotalMilliseconds;
            Console.WriteLine(FormattableString.Invariant($"{ms:F1} {(Environment.CpuUsage.TotalTime - cpu).TotalMilliseconds:F0}"));
        }

        return 0;
    }

    private static async Task WriteAsync(string target, int files, int folders, byte[] bytes, FileEntry entry, FileOutputOptions options)
    {
        FileOutput output = FileOutput.Publish(target, options);
        await using (output.ConfigureAwait(false))
        {
            int each = files / folders;
            for (int folder = 0; folder < folders; folder++)
            {
                string prefix = FormattableString.Invariant($"d{folder:D3}/f");
                for (int file = 0; file < each; file++)
                {
                    output.Write(prefix + file.ToString("D4", System.Globalization.CultureInfo.InvariantCulture), bytes, entry);
                }
            }

            await output.CompleteAsync().ConfigureAwait(false);
        }
    }

    /// <summary>What a program without this library does.</summary>
    private static void Plain(string target, int files, int folders, byte[] bytes)
    {
        for (int folder = 0; folder < folders; folder++)
        {
            string path = Path.Combine(target, FormattableString.Invariant($"d{folder:D3}"));
            Directory.CreateDirectory(path);
            for (int file = 0; file < files / folders; file++)
            {
                File.WriteAllBytes(Path.Combine(path, FormattableString.Invariant($"f{file:D4}")), bytes);
            }
        }
    }
}
