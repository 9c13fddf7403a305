using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace Transport.Loads.Report;

/// <summary>The command that redoes a run, as anybody can type it in the repository's root.</summary>
internal static class Redo
{
    /// <summary>Makes it. Paths inside the repository are named from its root, others by their last name alone: where they were says
    /// nothing to anybody else.</summary>
    public static string Command(IEnumerable<string> args) =>
        string.Join(' ', ["dotnet run -c Release --project perf/Transport.Loads --", .. args.Select(Word)]);

    private static string Word(string word)
    {
        if (word.Contains(Path.DirectorySeparatorChar, StringComparison.Ordinal))
        {
            string full = Path.GetFullPath(word);
            string inside = Path.GetRelativePath(Repository.Root, full);
            word = inside.StartsWith("..", StringComparison.Ordinal) || Path.IsPathRooted(inside)
                ? Path.GetFileName(Path.TrimEndingDirectorySeparator(full)) : inside;
        }

        return word.Contains(' ', StringComparison.Ordinal) ? $"'{word}'" : word;
    }
}
