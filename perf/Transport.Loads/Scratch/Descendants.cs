using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;

namespace Transport.Loads.Scratch;

/// <summary>Processes that a process started, and theirs, as /proc reports them; none if there is no /proc.</summary>
internal static class Descendants
{
    public static IReadOnlyList<int> Of(int process)
    {
        ILookup<int, int> children = All().ToLookup(p => p.Parent, p => p.Process);
        var found = new List<int> { process };
        for (int i = 0; i < found.Count; i++)
        {
            found.AddRange(children[found[i]]);
        }

        return found[1..];
    }

    /// <summary>Kills all of them, without a word of theirs.</summary>
    /// <returns>Their ids.</returns>
    public static IReadOnlyList<int> Kill(int process)
    {
        IReadOnlyList<int> all = Of(process);
        foreach (int one in all)
        {
            try
            {
                using var gone = Process.GetProcessById(one);
                gone.Kill();
            }
            catch (Exception e) when (e is ArgumentException or InvalidOperationException or System.ComponentModel.Win32Exception)
            {
                // It has just ended by itself.
            }
        }

        return all;
    }

    private static IEnumerable<(int Process, int Parent)> All()
    {
        foreach (string folder in Directory.Exists("/proc") ? Directory.GetDirectories("/proc") : [])
        {
            if (int.TryParse(Path.GetFileName(folder), NumberStyles.None, CultureInfo.InvariantCulture, out int process)
                && ParentOf(folder) is { } parent)
            {
                yield return (process, parent);
            }
        }
    }

    /// <summary>Of <c>ID (NAME) STATE PARENT …</c>, where the name may have anything in it. One that has ended and only waits to be asked
    /// for is none.</summary>
    private static int? ParentOf(string folder)
    {
        try
        {
            string line = File.ReadAllText(Path.Combine(folder, "stat"));
            string[] words = line[(line.LastIndexOf(')') + 2)..].Split(' ');
            return words[0] == "Z" ? null : int.Parse(words[1], CultureInfo.InvariantCulture);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;   // it has just ended
        }
    }
}
