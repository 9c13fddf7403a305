using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;

namespace Transport.Loads.Trees;

/// <summary>The tree that everybody writes: files of 2 KB of words (so that a zip has something to pack), a hundred a folder, with a mode
/// and a time.</summary>
internal sealed class TreeContent
{
    /// <summary>The time of every file: a whole second of 2023, even, as zip counts in twos.</summary>
    public const long Modified = 1_700_000_000;

    public const int FileMode = 0x1A4;     // 0644
    public const int FolderMode = 0x1ED;   // 0755

    private const int Size = 2048;

    /// <param name="files">How many files.</param>
    /// <param name="aFolder">How many of them are in a folder.</param>
    public TreeContent(int files, int aFolder = 100)
    {
        var random = new Random(8);
        string[] words = [.. Enumerable.Range(0, 400)
            .Select(_ => new string([.. Enumerable.Range(0, random.Next(3, 10)).Select(_ => (char)('a' + random.Next(16)))]))];
        Folders = [.. Enumerable.Range(0, files / aFolder).Select(i => string.Create(CultureInfo.InvariantCulture, $"d{i:D3}"))];
        Files = [.. Folders.SelectMany(f => Enumerable.Range(0, aFolder)
            .Select(i => (string.Create(CultureInfo.InvariantCulture, $"{f}/f{i:D4}.txt"), Text(words, random))))];
    }

    public IReadOnlyList<string> Folders { get; }

    public IReadOnlyList<(string Path, byte[] Bytes)> Files { get; }

    /// <summary>Compares a tree with this one: every file and every byte.</summary>
    /// <exception cref="LoadException">They differ.</exception>
    public void Check(string root, string who)
    {
        CheckCount(root, who);
        foreach ((string path, byte[] bytes) in Files)
        {
            if (!File.ReadAllBytes(Path.Combine(root, path)).AsSpan().SequenceEqual(bytes))
            {
                throw new LoadException($"{who}: {path} is not what was to be written.");
            }
        }
    }

    /// <summary>Counts the files of a tree.</summary>
    /// <exception cref="LoadException">There are more or fewer.</exception>
    public void CheckCount(string root, string who)
    {
        int found = Directory.EnumerateFiles(root, "*", SearchOption.AllDirectories).Count();
        if (found != Files.Count)
        {
            throw new LoadException($"{who}: {found} files in place of {Files.Count}.");
        }
    }

    private static byte[] Text(string[] words, Random random)
    {
        var text = new StringBuilder(Size + 16);
        while (text.Length < Size)
        {
            text.Append(words[random.Next(words.Length)]).Append(' ');
        }

        return Encoding.ASCII.GetBytes(text.ToString(0, Size));
    }
}
