using System;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using BuildHarness.Commands;
using Transport.Terminal;

namespace BuildHarness.Tests.Extract;

/// <summary>Runs <c>extract</c> in this process, and other programs beside it.</summary>
internal static class Extracting
{
    /// <summary>Extracts what is refused or fails; a success would write to the tests' own stdout.</summary>
    public static async Task<(int ExitCode, string Error)> FailAsync(params string[] words)
    {
        var error = new StringWriter();
        (CommonOptions? options, int exitCode) = CommandLine.Parse(["extract", .. words], TextWriter.Null, error);
        if (options is null)
        {
            return (exitCode, error.ToString());
        }

        using var interrupt = new Interrupt();
        try
        {
            return (await new ExtractCommand((ExtractOptions)options, interrupt, TimeProvider.System).RunAsync(), string.Empty);
        }
        catch (HarnessException e)
        {
            return (e.ExitCode, e.Message);
        }
    }

    /// <summary>Runs a program to its end.</summary>
    public static async Task<(int ExitCode, string Output)> RunAsync(string program, string folder, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder, RedirectStandardOutput = true, RedirectStandardError = true, UseShellExecute = false,
        };
        start.Environment["LC_ALL"] = "C.UTF-8";
        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return (process.ExitCode, output + await errors);
    }

    /// <summary>Whether a process has ended; until then the most memory that it had.</summary>
    /// <param name="pid">The process.</param>
    /// <param name="most">KiB.</param>
    public static bool HasEnded(int pid, ref long most)
    {
        try
        {
            string? line = File.ReadLines($"/proc/{pid}/status").FirstOrDefault(l => l.StartsWith("VmHWM:", StringComparison.Ordinal));
            most = line is null ? most : Math.Max(most, long.Parse(line[6..^2], CultureInfo.InvariantCulture));
            return line is null;
        }
        catch (IOException)
        {
            return true;
        }
    }

    /// <summary>A program's path, or null if this machine has none.</summary>
    public static string? Find(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? string.Empty).Split(':').Select(folder => Path.Combine(folder, program))
            .FirstOrDefault(File.Exists);

    /// <summary>What is in a folder, hidden or not.</summary>
    public static string[] NamesIn(string folder) =>
        [.. Directory.EnumerateFileSystemEntries(folder).Select(Path.GetFileName).Order(StringComparer.Ordinal)!];
}
