using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Files;
using Unpack;

namespace BuildHarness.Tests.Extract;

/// <summary>Compares what this program makes of an archive with what tar and unzip make of it.</summary>
internal static class Trees
{
    private static int Umask => Convert.ToInt32(
        File.ReadLines("/proc/self/status").First(line => line.StartsWith("Umask:", StringComparison.Ordinal))[6..].Trim(), 8);

    /// <summary>Extracts an archive in this process.</summary>
    public static async Task<FileReceipt> ExtractAsync(string archive, string target, FileOutputOptions? options = null)
    {
        using ArchiveReader reader = ArchiveReader.Open(archive, new ArchiveLimits());
        await using var output = FileOutput.Publish(target, options ?? new FileOutputOptions
        {
            Existing = ExistingTarget.RefuseUnlessEmpty,
        });
        return await new Extractor(reader, output).RunAsync(default);
    }

    /// <summary>Extracts with both, and finds no difference.</summary>
    public static async Task CompareAsync(string archive, string folder)
    {
        string ours = Path.Combine(folder, "ours"), theirs = Path.Combine(folder, "theirs");
        Directory.CreateDirectory(theirs);
        (HashSet<string> folders, ArchiveFormat format) = FoldersOf(archive);
        bool isZip = format == ArchiveFormat.Zip;

        // As an ordinary user; and without -P, or if a folder has entries in two places, tar makes some of them after it has set the
        // folder's time.
        (int exitCode, string said) = isZip
            ? await Extracting.RunAsync("unzip", folder, "-q", archive, "-d", theirs)
            : await Extracting.RunAsync(
                "tar", folder, "--no-same-owner", "--no-same-permissions", "--delay-directory-restore", "-xPf", archive, "-C", theirs);
        Assert.That(exitCode, Is.Zero, said);
        await ExtractAsync(archive, ours);

        (exitCode, said) = await Extracting.RunAsync("diff", folder, "-r", "--no-dereference", "theirs", "ours");
        Assert.That((exitCode, said), Is.EqualTo((0, string.Empty)), "contents and names");
        string[] ourList = await ListAsync(ours, folders, isZip), theirList = await ListAsync(theirs, folders, isZip);
        Assert.That(ourList, Is.EqualTo(theirList), "kinds, modes, links, times");
        Assert.That(ourList, Is.Not.Empty);
    }

    /// <summary>A line an entry: path, kind, mode, number of names, target, time. Of folders that no entry names no time; nor of links in
    /// zip, since unzip gives them none.</summary>
    private static async Task<string[]> ListAsync(string root, HashSet<string> folders, bool isZip)
    {
        (int exitCode, string output) =
            await Extracting.RunAsync("find", root, ".", "-mindepth", "1", "-printf", "%P\\t%y\\t%#m\\t%n\\t%l\\t%T@\\0");
        Assert.That(exitCode, Is.Zero, output);
        return [.. output.Split('\0', StringSplitOptions.RemoveEmptyEntries).Select(line =>
        {
            string[] parts = line.Split('\t');
            bool isFolder = parts[1] == "d", hasTime = isFolder ? folders.Contains(parts[0]) : !(isZip && parts[1] == "l");

            // How many folders are in a folder is the file system's business. And unzip leaves the umask alone, and gives no permission at
            // all if a zip has no mode.
            string mode = isZip && parts[2] == "0" ? "0644" : isZip && parts[1] != "l" ? "0"
                + Convert.ToString(Convert.ToInt32(parts[2], 8) & ~Umask, 8) : parts[2];
            return string.Join(' ', parts[0], parts[1], mode, isFolder ? string.Empty : parts[3], parts[4], !hasTime ? string.Empty
                : isZip ? InTwos(parts[5]) : parts[5]);
        }).Order(StringComparer.Ordinal)];
    }

    /// <summary>A zip's directory has seconds in twos, rounded up; unzip finds the exact ones in a field that .NET does not show.</summary>
    private static string InTwos(string seconds) =>
        (((long)double.Parse(seconds, CultureInfo.InvariantCulture) + 1) / 2 * 2).ToString(CultureInfo.InvariantCulture);

    private static (HashSet<string> Folders, ArchiveFormat Format) FoldersOf(string archive)
    {
        var folders = new HashSet<string>(StringComparer.Ordinal);
        using ArchiveReader reader = ArchiveReader.Open(archive, new ArchiveLimits());
        while (reader.Next() is { } entry)
        {
            if (entry.Kind == EntryKind.Directory)
            {
                folders.Add(entry.Path);
            }
        }

        return (folders, reader.Format);
    }
}
