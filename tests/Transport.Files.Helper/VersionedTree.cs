using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;

namespace Transport.Files.Helper;

/// <summary>A tree in which every file tells the version it is of: two versions mixed, or a file missing, are seen.</summary>
internal static class VersionedTree
{
    public const int Folders = 12, FilesEach = 8;

    public static void Write(FileOutput output, int version, Action<string> told)
    {
        byte[] bytes = Bytes(version);
        for (int folder = 0; folder < Folders; folder++)
        {
            for (int file = 0; file < FilesEach; file++)
            {
                output.Write(FormattableString.Invariant($"d{folder}/inner/f{file}"), bytes);
            }

            told(FormattableString.Invariant($"{version} d{folder}"));
        }
    }

    /// <summary>Finds the version that all files are of.</summary>
    /// <returns>The version, or null where nothing is at the path; throws where it is not whole.</returns>
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
        return contents.Length == 1 && contents[0] == Encoding.ASCII.GetString(Bytes(version)) ? version : throw new InvalidDataException("files of several versions, or cut ones");
    }

    private static byte[] Bytes(int version) => Encoding.ASCII.GetBytes(FormattableString.Invariant($"{version} ") + new string((char)('a' + (version % 26)), 3000));
}
