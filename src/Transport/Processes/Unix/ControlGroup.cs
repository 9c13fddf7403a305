using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;

namespace Transport;

/// <summary>Which control group accounts for a process's memory, and how many of its processes the kernel has killed for want of it (Linux;
/// cgroups(7)).</summary>
/// <param name="processes">Where the system shows processes: <c>/proc</c>; tests have one of their own.</param>
internal sealed class ControlGroup(string processes = "/proc")
{
    /// <summary>What the root folder of a file system inside another is called in mountinfo when it lies outside of this process's
    /// view.</summary>
    private const string Outside = "/..";

    /// <summary>Finds the file with the count.</summary>
    /// <param name="pid">The process; one that has ended, but was not waited for, still counts in version 2. In version 1 it is shown at
    /// the root.</param>
    /// <param name="isLegacy">Whether it is one of version 1.</param>
    /// <returns>The file, or null if the system does not say: another system, no permission, the group is gone.</returns>
    public string? Find(int pid, out bool isLegacy)
    {
        isLegacy = false;
        try
        {
            string[] lines = File.ReadAllLines(FormattableString.Invariant($"{processes}/{pid}/cgroup"));
            string? legacy = Array.Find(lines, line => line.Split(':') is { Length: >= 3 } fields
                && fields[1].Split(',').Contains("memory"));
            string? line = legacy ?? Array.Find(lines, one => one.StartsWith("0::", StringComparison.Ordinal));
            isLegacy = legacy is not null;
            string? path = line?.Split([':'], 3)[2];
            string? folder = path is null || path.EndsWith(" (deleted)", StringComparison.Ordinal) ? null : FolderOf(path, isLegacy);
            return folder is null ? null : folder + (isLegacy ? "/memory.oom_control" : "/memory.events");
        }
        catch (Exception hidden) when (hidden is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Reads the count.</summary>
    /// <returns>How many processes of the group (version 2: and of those below it) were killed so far; null if the system does not
    /// say.</returns>
    public static long? Kills(string file)
    {
        try
        {
            string? line = File.ReadLines(file).FirstOrDefault(one => one.StartsWith("oom_kill ", StringComparison.Ordinal));
            return line is not null && long.TryParse(
                line.Substring("oom_kill ".Length), NumberStyles.None, CultureInfo.InvariantCulture, out long count) ? count : null;
        }
        catch (Exception hidden) when (hidden is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>Gives a field of mountinfo as it is: the characters that would end it (space, tab, line feed, backslash, #) stand there as
    /// a backslash and three octal digits.</summary>
    private static string Plain(string field)
    {
        if (field.IndexOf('\\') < 0)
        {
            return field;
        }

        var plain = new StringBuilder(field.Length);
        for (int i = 0; i < field.Length; i++)
        {
            bool isEscape = field[i] == '\\' && i + 3 < field.Length && IsOctal(field[i + 1]) && IsOctal(field[i + 2])
                && IsOctal(field[i + 3]);
            plain.Append(isEscape ? (char)(((field[i + 1] - '0') << 6) | ((field[i + 2] - '0') << 3) | (field[i + 3] - '0')) : field[i]);
            i += isEscape ? 3 : 0;
        }

        return plain.ToString();

        static bool IsOctal(char c) => c is >= '0' and <= '7';
    }

    /// <summary>A line of mountinfo (proc_pid_mountinfo(5)): six fields, optional ones, a dash, then the file system's kind, its source and
    /// its options.</summary>
    private string? FolderOf(string path, bool isLegacy)
    {
        foreach (string line in File.ReadLines(processes + "/self/mountinfo"))
        {
            string[] halves = line.Split([" - "], 2, StringSplitOptions.None);
            string[] mount = halves[0].Split(' '), kind = halves.Length < 2 ? [] : halves[1].Split(' ');
            bool fits = mount.Length >= 5 && kind.Length >= 3
                && (isLegacy ? kind[0] == "cgroup" && kind[2].Split(',').Contains("memory") : kind[0] == "cgroup2");
            if (!fits)
            {
                continue;
            }

            string at = Plain(mount[3]), folder = Plain(mount[4]);
            if (at.StartsWith(Outside, StringComparison.Ordinal) || path.StartsWith(Outside, StringComparison.Ordinal))
            {
                continue;
            }

            string root = at == "/" ? string.Empty : at, rest = path == "/" ? string.Empty : path;
            if (rest == root || rest.StartsWith(root + "/", StringComparison.Ordinal))
            {
                return folder + rest.Substring(root.Length);
            }
        }

        return null;
    }
}
