using System;
using System.Globalization;
using System.IO;
using System.Linq;

namespace Transport.Tool;

/// <summary>The journals of builds for which no folder was named: the last ones of this user, so that a build can be looked at
/// afterwards.</summary>
internal static class BuildJournals
{
    /// <summary>How many are kept.</summary>
    public const int Kept = 10;

    private const string LockFile = "lock";

    /// <summary>Names a new journal's folder, and removes the oldest ones.</summary>
    /// <exception cref="IOException">The folder above cannot be made.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be made.</exception>
    public static string NewFolder(TimeProvider clock) => NewFolder(Above(), clock);

    /// <param name="above">The folder of the journals.</param>
    /// <param name="clock">Names the journal.</param>
    /// <inheritdoc cref="NewFolder(TimeProvider)"/>
    public static string NewFolder(string above, TimeProvider clock)
    {
        foreach (string old in Directory.CreateDirectory(above).GetDirectories().Select(one => one.FullName)
            .OrderDescending(StringComparer.Ordinal).Skip(Kept - 1))
        {
            TryRemove(old);
        }

        string time = clock.GetLocalNow().ToString("yyyyMMdd-HHmmss", CultureInfo.InvariantCulture);
        return Path.Combine(above, string.Create(CultureInfo.InvariantCulture, $"{time}-{Environment.ProcessId}"));
    }

    /// <summary>Returns the newest journal; null if there is none.</summary>
    public static string? Newest() =>
        Directory.Exists(Above()) ? Directory.GetDirectories(Above()).Order(StringComparer.Ordinal).LastOrDefault() : null;

    /// <summary>$XDG_STATE_HOME, by default ~/.local/state; on Windows %LOCALAPPDATA%. Who has no home, as a user of a container that is in
    /// no list of users, has a folder of the temporary one.</summary>
    private static string Above()
    {
        string? state = Environment.GetEnvironmentVariable("XDG_STATE_HOME");
        string home = Environment.GetFolderPath(OperatingSystem.IsWindows()
            ? Environment.SpecialFolder.LocalApplicationData : Environment.SpecialFolder.UserProfile);
        string root = OperatingSystem.IsWindows() ? home
            : Path.IsPathRooted(state) ? state
            : home.Length > 1 && Directory.Exists(home) ? Path.Combine(home, ".local", "state")
            : Path.Combine(Path.GetTempPath(), "transport-of-" + UserId());
        return Path.Combine(root, "transport", "builds");
    }

    /// <summary>The user's number, as Linux shows it (proc_pid_status(5); of Uid the second is the effective one); elsewhere the
    /// name.</summary>
    private static string UserId()
    {
        const string Status = "/proc/self/status", Field = "Uid:";
        try
        {
            return File.ReadLines(Status).First(line => line.StartsWith(Field, StringComparison.Ordinal))
                .Split('\t', StringSplitOptions.RemoveEmptyEntries)[2];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or InvalidOperationException or IndexOutOfRangeException)
        {
            return Environment.UserName;
        }
    }

    /// <summary>A journal's writer holds the lock on a file of its folder (docs/reference/journal-format.md).</summary>
    private static void TryRemove(string journal)
    {
        try
        {
            using (new FileStream(Path.Combine(journal, LockFile), FileMode.Open, FileAccess.ReadWrite, FileShare.None))
            {
                // Nobody writes it.
            }

            Directory.Delete(journal, recursive: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Being written, no journal, or not ours to remove: it stays.
        }
    }
}
