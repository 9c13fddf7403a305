using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;

namespace Transport.Tool;

/// <summary>The limits that control groups set to this process, in version 2 and version 1 (cgroups(7)): a container's, mostly. The lowest
/// of its own group and those above it holds.</summary>
/// <param name="groups">Where the groups are; tests have a folder of their own.</param>
/// <param name="membership">The file that says which group this process is in.</param>
internal sealed class GroupLimits(string groups = "/sys/fs/cgroup", string membership = "/proc/self/cgroup")
{
    /// <summary>What version 1 shows where nothing is limited: the largest number of whole pages.</summary>
    private const long Unlimited = 1L << 62;

    /// <summary>Reads the limit of memory, in bytes.</summary>
    /// <returns>The number; <c>unlimited</c>; <c>unknown</c> if no group shows one.</returns>
    public string Memory() => Lowest("memory", "memory.max", "memory.limit_in_bytes");

    /// <summary>Reads the limit of processes and threads.</summary>
    /// <returns>As <see cref="Memory"/>.</returns>
    public string Processes() => Lowest("pids", "pids.max", "pids.max");

    private string Lowest(string controller, string file, string legacyFile)
    {
        string[] lines = MachineChecks.Lines(membership);
        string? unified = lines.FirstOrDefault(line => line.StartsWith("0::", StringComparison.Ordinal))?[3..];
        string? legacy = lines.Select(line => line.Split(':', 3)).FirstOrDefault(fields => fields.Length == 3
            && fields[1].Split(',').Contains(controller))?[2];
        long[] limits = [.. Limits(groups, unified, file), .. Limits(Path.Combine(groups, controller), legacy, legacyFile)];
        return limits.Length == 0 ? "unknown"
            : limits.Min() is var least && least >= Unlimited ? "unlimited" : least.ToString(CultureInfo.InvariantCulture);
    }

    private static IEnumerable<long> Limits(string root, string? group, string file) => group is null ? []
        : Upwards(root, group).SelectMany(folder => MachineChecks.Lines(Path.Combine(folder, file)).Take(1))
            .Select(text => long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long number) ? number : Unlimited);

    /// <summary>The group's folder and those above it, up to the root, which is the container's own where that sees no other.</summary>
    private static IEnumerable<string> Upwards(string root, string group)
    {
        for (string path = group.TrimEnd('/'); path.Length > 0; path = path[..Math.Max(0, path.LastIndexOf('/'))])
        {
            yield return root + path;
        }

        yield return root;
    }
}
