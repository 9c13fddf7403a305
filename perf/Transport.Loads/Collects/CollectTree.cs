using System;
using System.Globalization;
using System.IO;

namespace Transport.Loads.Collects;

/// <summary>What a build of some size leaves: many assemblies of 64 KiB, and a few large files.</summary>
internal static class CollectTree
{
    private const int Small = 64 << 10, Large = 32 << 20;

    /// <returns>Its bytes.</returns>
    public static long Make(string folder, bool quick)
    {
        var random = new Random(8);
        int small = quick ? 100 : 400, large = quick ? 1 : 6;
        byte[] bytes = new byte[Large];
        random.NextBytes(bytes);
        Directory.CreateDirectory(folder);
        for (int i = 0; i < small; i++)
        {
            File.WriteAllBytes(Name(folder, "lib", i, ".dll"), bytes.AsSpan(i * 1000, Small).ToArray());
        }

        for (int i = 0; i < large; i++)
        {
            File.WriteAllBytes(Name(folder, "data", i, ".bin"), bytes);
        }

        return ((long)small * Small) + ((long)large * Large);
    }

    /// <summary>Compares two folders byte for byte.</summary>
    /// <exception cref="LoadException">They differ.</exception>
    public static void ExpectSame(string folder, string copy)
    {
        string[] files = Directory.GetFiles(folder);
        if (Directory.GetFiles(copy).Length != files.Length)
        {
            throw new LoadException($"{copy} has other files than {folder}.");
        }

        foreach (string file in files)
        {
            if (!File.ReadAllBytes(file).AsSpan().SequenceEqual(File.ReadAllBytes(Path.Combine(copy, Path.GetFileName(file)))))
            {
                throw new LoadException($"{Path.GetFileName(file)} is not what was sent.");
            }
        }
    }

    private static string Name(string folder, string word, int number, string end) =>
        Path.Combine(folder, string.Create(CultureInfo.InvariantCulture, $"{word}{number:D4}{end}"));
}
