using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using Transport.Files;

namespace Transport.Testing;

/// <summary>A tree in which every file holds its version, so that mixed versions and missing files are noticed.</summary>
internal static class VersionedTree
{
    public const int Folders = 12, FilesEach = 8;

    public static void Write(FileOutput output, int version, Action<string> reported)
    {
        byte[] bytes = Bytes(version);
        for (int folder = 0; folder < Folders; folder++)
        {
            for (int file = 0; file < FilesEach; file++)
            {
                output.Write(FormattableString.Invariant($"d{folder}/inner/f{file}"), bytes);
            }

            reported(FormattableString.Invariant($"{version} d{folder}"));
        }
    }

    /// <summary>Finds the version of all files.</summary>
    /// <returns>The version; null if nothing is at the path.</returns>
    /// <exception cref="InvalidDataException">The tree is not whole.</exception>
    public static int? Read(string path)
    {
        if (!Directory.Exists(path))
        {
            return File.Exists(path) ? throw new InvalidDataException("a file is there") : null;
        }

        string[] files = Directory.GetFiles(path, "*", SearchOption.AllDirectories);
        if (files.Length != Folders * FilesEach)
        {
            throw new InvalidDataException(FormattableString.Invariant($"{files.Length} files of {Folders * FilesEach}"));
        }

        string[] contents = [.. files.Select(File.ReadAllText).Distinct()];
        int version = int.Parse(contents[0].Split(' ')[0], CultureInfo.InvariantCulture);
        bool isWhole = contents.Length == 1 && contents[0] == Encoding.ASCII.GetString(Bytes(version));
        return isWhole ? version : throw new InvalidDataException("files of several versions, or cut ones");
    }

    private static byte[] Bytes(int version)
    {
        var rest = new string((char)('a' + (version % 26)), 3000);
        return Encoding.ASCII.GetBytes(FormattableString.Invariant($"{version} ") + rest);
    }
}
