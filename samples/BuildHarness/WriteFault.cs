using System;
using System.IO;
using BuildHarness.Display;
using Transport;

namespace BuildHarness;

/// <summary>Why a file that an option names cannot be written, in one line: option, path, cause, what to do.</summary>
internal static class WriteFault
{
    private const int NoProcessDescriptors = 24, FullDisk = 28, ReadOnly = 30, Quota = 122, WindowsFullDisk = 112;

    public static string Of(string option, string path, Exception e) => $"{option} {TerminalText.Escape(path)}: {Cause(path, e)}";

    private static string Cause(string path, Exception e)
    {
        string full = Path.GetFullPath(path), folder = Path.GetDirectoryName(full) ?? full;
        return Directory.Exists(full) ? "it is a folder; name a file."
            : e is DirectoryNotFoundException or FileNotFoundException || !Directory.Exists(folder) ? NoFolder(folder)
            : e is UnauthorizedAccessException ? $"this user may not write "
                + $"{(File.Exists(full) ? "it" : $"in {TerminalText.Escape(folder)}")}; change its permissions, or name another file."
            : e is PathTooLongException ? "the name is longer than the file system allows; name another file."
            : OperatingSystem.IsWindows() ? (e.HResult & 0xffff) == WindowsFullDisk ? Full : Other(e)
            : e.HResult switch
            {
                FullDisk => Full,
                Quota => "this user's share of the disk is used up; free some space, or name a file on another disk.",
                ReadOnly => "the file system is mounted read-only; name a file on another one.",
                NoProcessDescriptors => "this process has no file descriptors left; raise their number (ulimit -n).",
                _ => Other(e),
            };
    }

    private static string Full => "the disk is full; free some space, or name a file on another disk.";

    private static string NoFolder(string folder)
    {
        if (File.Exists(folder))
        {
            return $"{TerminalText.Escape(folder)} is a file, not a folder; name another file.";
        }

        return Directory.Exists(folder) ? $"no file can be made in {TerminalText.Escape(folder)}; name another."
            : $"there is no folder {TerminalText.Escape(folder)}; make it first, or name another file.";
    }

    /// <summary>The system's own word, if there is no better.</summary>
    private static string Other(Exception e) => $"the system says: {TerminalText.Escape(e.Message.TrimEnd('.'))}; name another file.";
}
