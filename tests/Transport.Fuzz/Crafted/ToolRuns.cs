using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Transport.Fuzz.Crafted;

/// <summary>Runs the commands of <c>transport</c> in this process, with its output in a file, and looks at what they say. Linux.</summary>
internal sealed class ToolRuns
{
    private const int Stdout = 1, Stderr = 2;
    private static readonly TimeSpan MostTime = TimeSpan.FromSeconds(5);
    private static readonly int[] ExitCodes = [0, 1, 2, 3];
    private readonly MethodInfo _main = Assembly.Load("Transport.Tool").EntryPoint!;
    private readonly string _folder;
    private readonly string _output, _errors;
    private readonly StreamWriter _report;

    /// <summary>Initializes a new instance of the <see cref="ToolRuns"/> class: from now on stdout and stderr are files.</summary>
    /// <param name="folder">A folder for the outputs.</param>
    public ToolRuns(string folder)
    {
        _folder = folder;
        (_output, _errors) = (Path.Combine(folder, "stdout"), Path.Combine(folder, "stderr"));
        File.WriteAllText(_output, string.Empty);
        File.WriteAllText(_errors, string.Empty);
        var stdout = new SafeFileHandle(Duplicate(Stdout), ownsHandle: true);
        _report = new StreamWriter(new FileStream(stdout, FileAccess.Write)) { AutoFlush = true };
        Redirect(_output, Stdout);
        Redirect(_errors, Stderr);
    }

    /// <summary>Gets the commands, each with the words behind the journal's folder.</summary>
    public static IReadOnlyList<string[]> Commands { get; } =
    [
        ["query"], ["query", "--json", "--build", "all"],
        ["query", "--kind", "error", "--text", "a", "--project", "a.csproj", "--after", "+0"],
        ["watch"], ["export", "--html", "@.html", "--trace", "@.json", "--github", "--azure"], ["export", "--binlog", "@.binlog"],
        ["export", "--build", "all", "--html", "@.html", "--binlog", "@.binlog", "--project-files"],
        ["export", "--otlp", "http://127.0.0.1:9"], ["journal verify"], ["journal stat"], ["journal dump"], ["follow"],
        ["follow", "-v", "diagnostic"],
    ];

    /// <summary>Gets those that are measured: each with one output.</summary>
    public static IReadOnlyList<string[]> Single { get; } =
    [
        .. Commands.Where(command => command[0] != "export"), ["export", "--html", "@.html"], ["export", "--trace", "@.json"],
        ["export", "--github"], ["export", "--azure"], ["export", "--binlog", "@.binlog"], ["export", "--otlp", "http://127.0.0.1:9"],
    ];

    /// <summary>Returns the folder of a run, in memory where that can be had.</summary>
    public static string Folder(string run) =>
        Path.Combine(Directory.Exists("/dev/shm") ? "/dev/shm" : Path.GetTempPath(), $"{run}-{Environment.ProcessId}");

    /// <summary>Returns a command's whole line.</summary>
    /// <param name="command">One of <see cref="Commands"/>.</param>
    /// <param name="journal">The journal's folder.</param>
    /// <param name="folder">The folder of what is made.</param>
    public static string[] Words(string[] command, string journal, string folder) =>
        [.. command[0].Split(' '), journal, .. command.Skip(1).Select(
            word => word.Replace("@", Path.Combine(folder, "made"), StringComparison.Ordinal))];

    /// <summary>Writes a line where this process's output was to go.</summary>
    public void Report(string line) => _report.WriteLine(line);

    /// <summary>Runs a command.</summary>
    /// <param name="command">One of <see cref="Commands"/>.</param>
    /// <param name="journal">The journal's folder.</param>
    /// <returns>What is wrong with how it ended; null: nothing.</returns>
    public string? Run(string[] command, string journal)
    {
        string[] words = Words(command, journal, _folder);
        Empty(Stdout);
        Empty(Stderr);
        long from = TimeProvider.System.GetTimestamp();
        int exitCode;
        try
        {
            exitCode = (int)_main.Invoke(null, [words])!;
        }
        catch (TargetInvocationException e)
        {
            return $"threw {e.InnerException}";
        }

        TimeSpan took = TimeProvider.System.GetElapsedTime(from);
        string errors = File.ReadAllText(_errors), output = File.ReadAllText(_output);
        string? unfit = Unfit(output) ?? Unfit(errors);
        return !ExitCodes.Contains(exitCode) ? $"exit code {exitCode}: {errors}"
            : exitCode >= 2 && errors.Length == 0 ? $"exit code {exitCode} without a line"
            : IsDefect(errors) ? errors.TrimEnd()
            : unfit is not null ? $"wrote {unfit} to a terminal"
            : took > MostTime ? string.Create(CultureInfo.InvariantCulture, $"took {took.TotalSeconds:0.0} s") : null;
    }

    /// <summary>Whether what a command wrote to stderr is no line for a person: a defect's, or a stack trace.</summary>
    public static bool IsDefect(string errors) => errors.Contains("a defect of this program", StringComparison.Ordinal)
        || errors.Contains(" was not made: ", StringComparison.Ordinal) || errors.Contains("   at ", StringComparison.Ordinal);

    /// <summary>Returns the first character that a terminal may take for a command.</summary>
    private static string? Unfit(string text)
    {
        int at = text.AsSpan().IndexOfAnyInRange('\0', '\u0008');
        at = at >= 0 ? at : text.AsSpan().IndexOfAnyInRange('\u000b', '\u001f');
        at = at >= 0 ? at : text.AsSpan().IndexOfAnyInRange('\u007f', '\u009f');
        return at < 0 ? null : string.Create(CultureInfo.InvariantCulture, $"U+{(int)text[at]:X4} at {at}");
    }

    private static void Redirect(string file, int descriptor)
    {
        const int ReadWrite = 2, Append = 0x400;
        int fd = Open(file, ReadWrite | Append);
        if (fd < 0 || Duplicate(fd, descriptor) < 0)
        {
            throw new IOException($"{file} cannot be put in place of descriptor {descriptor}.");
        }

        _ = Close(fd);
    }

    private static void Empty(int descriptor) => _ = Truncate(descriptor, 0);

    [DllImport("libc", EntryPoint = "open")]
    private static extern int Open([MarshalAs(UnmanagedType.LPUTF8Str)] string path, int flags);

    [DllImport("libc", EntryPoint = "dup")]
    private static extern int Duplicate(int descriptor);

    [DllImport("libc", EntryPoint = "dup2")]
    private static extern int Duplicate(int descriptor, int target);

    [DllImport("libc", EntryPoint = "ftruncate")]
    private static extern int Truncate(int descriptor, long length);

    [DllImport("libc", EntryPoint = "close")]
    private static extern int Close(int descriptor);
}
