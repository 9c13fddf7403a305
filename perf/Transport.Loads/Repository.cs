using System;
using System.Diagnostics;
using System.IO;
using System.Linq;

namespace Transport.Loads;

/// <summary>The checkout that this program was built in: other programs of the same build, recorded builds, the commit.</summary>
internal static class Repository
{
    private const string Solution = "Transport.sln";

    /// <summary>Gets the folder of the solution; the working folder if there is none above the program.</summary>
    public static string Root { get; } = Find();

    /// <summary>Gets where a project of the same configuration puts a file.</summary>
    public static string Output(string project, string framework, string file) =>
        Path.Combine(Root, project, "bin", new DirectoryInfo(AppContext.BaseDirectory).Parent!.Name, framework, file);

    /// <summary>Finds a program as a shell would.</summary>
    public static string? OnPath(string program) =>
        (Environment.GetEnvironmentVariable("PATH") ?? string.Empty).Split(Path.PathSeparator)
            .Select(folder => Path.Combine(folder, program)).FirstOrDefault(File.Exists);

    /// <summary>Returns the commit, and whether something was changed since.</summary>
    public static string Commit()
    {
        string commit = Git("rev-parse", "--short", "HEAD");
        return commit.Length == 0 ? "unknown" : Git("status", "--porcelain", "--untracked-files=no").Length > 0 ? commit + " with changes"
            : commit;
    }

    private static string Git(params string[] arguments)
    {
        try
        {
            var start = new ProcessStartInfo("git", arguments)
            {
                WorkingDirectory = Root, UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true,
            };
            using Process git = Process.Start(start)!;
            string output = git.StandardOutput.ReadToEnd();
            git.WaitForExit();
            return git.ExitCode == 0 ? output.Trim() : string.Empty;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return string.Empty;   // no git here
        }
    }

    private static string Find()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, Solution)))
            {
                return folder.FullName;
            }
        }

        return Environment.CurrentDirectory;
    }
}
