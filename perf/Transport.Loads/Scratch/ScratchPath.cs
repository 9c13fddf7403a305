using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Security.Cryptography;

namespace Transport.Loads.Scratch;

/// <summary>Where this program puts what goes away again. Every name has the process's id in it, so that a later run can report what an
/// exited one left.</summary>
internal static class ScratchPath
{
    /// <summary>Every name begins with it.</summary>
    public const string Prefix = "transport-loads-";

    /// <summary>The file system in memory.</summary>
    public const string Memory = "/dev/shm";

    /// <summary>Names a folder on a disk to measure in; without it: the temporary one, or, if that is in memory, the one of this
    /// program.</summary>
    public const string DiskVariable = "TRANSPORT_LOADS_DISK";

    /// <summary>Gets the folder on a real disk: on a file system in memory a sync costs nothing.</summary>
    public static string Disk => Environment.GetEnvironmentVariable(DiskVariable) is { Length: > 0 } wanted
        ? Path.GetFullPath(wanted)
        : FormatOf(Path.GetTempPath()) is "tmpfs" or "ramfs" ? AppContext.BaseDirectory : Path.GetTempPath();

    /// <summary>Gets every folder that something may stand in.</summary>
    public static IReadOnlyList<string> Parents =>
        [.. new[] { Path.GetTempPath(), Memory, AppContext.BaseDirectory, Disk }.Where(Directory.Exists)
        .Select(p => Path.TrimEndingDirectorySeparator(Path.GetFullPath(p))).Distinct(StringComparer.Ordinal)];

    /// <summary>Names something of this process that is not there yet, and that nobody can guess.</summary>
    /// <param name="what">What it is for, in a word.</param>
    /// <param name="parent">Where; null: the temporary folder.</param>
    public static string New(string what, string? parent = null) =>
        Path.Combine(parent ?? Path.GetTempPath(), string.Create(CultureInfo.InvariantCulture,
            $"{Prefix}{Environment.ProcessId}-{what}-{RandomNumberGenerator.GetHexString(8, lowercase: true)}"));

    /// <summary>Reads out of a name whose it is; null if it is no such name.</summary>
    public static int? ProcessOf(string path)
    {
        string name = Path.GetFileName(path);
        int end = name.StartsWith(Prefix, StringComparison.Ordinal) ? name.IndexOf('-', Prefix.Length) : -1;
        return end > 0 && int.TryParse(name.AsSpan(Prefix.Length, end - Prefix.Length), NumberStyles.None, CultureInfo.InvariantCulture,
            out int process) ? process : null;
    }

    /// <summary>Returns the name of a folder's file system.</summary>
    public static string FormatOf(string path)
    {
        try
        {
            return new DriveInfo(path).DriveFormat;
        }
        catch (IOException)
        {
            return "unknown";
        }
    }
}
