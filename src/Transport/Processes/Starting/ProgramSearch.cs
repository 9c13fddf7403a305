using System.IO;

namespace Transport;

/// <summary>Finds the file of a program as a shell does, and says why there is none.</summary>
internal static class ProgramSearch
{
    /// <summary>POSIX leaves the search without PATH to the system; this is what Linux shells use.</summary>
    private const string DefaultPath = "/usr/local/bin:/usr/bin:/bin";

    public static string? Find(string fileName, string? path, System.Func<string, bool> isExecutable, out StartError? error)
    {
        error = null;
        if (fileName.IndexOf('/') >= 0)
        {
            string full = Path.GetFullPath(fileName);
            error = WhyNot(full, isExecutable);
            return error is null ? full : null;
        }

        foreach (string folder in (path ?? DefaultPath).Split(':'))
        {
            string candidate = Path.GetFullPath(Path.Combine(folder.Length == 0 ? "." : folder, fileName));
            if (!File.Exists(candidate))
            {
                continue;
            }

            StartError? why = WhyNot(candidate, isExecutable);
            if (why is null)
            {
                error = null;
                return candidate;
            }

            error ??= why;
        }

        error ??= new StartError(
            StartFailure.NotFound, $"No program \"{fileName}\" in the folders of PATH. Install it, or give its path with a slash in it.");
        return null;
    }

    /// <summary>The errors of posix_spawn that say something about the file; <paramref name="errno"/> as on Linux and macOS
    /// alike.</summary>
    public static StartError Explain(string file, int errno) => errno switch
    {
        2 when File.Exists(file) => new StartError(
            StartFailure.NotExecutable, $"\"{file}\" cannot be run: the interpreter that its first line (or its header) names is missing."),
        2 or 20 => new StartError(StartFailure.NotFound, $"No file \"{file}\". Check the path."),
        13 or 1 => new StartError(StartFailure.NotExecutable,
            $"\"{file}\" cannot be run: the system refuses it (no execute permission for this user, or a file system mounted noexec)."),
        8 => new StartError(StartFailure.NotExecutable,
            $"\"{file}\" cannot be run: it is in no format that the system runs. A script needs a first line such as #!/bin/sh."),
        7 => new StartError(StartFailure.Other,
            $"\"{file}\" was not started: arguments and environment are larger than the system allows (E2BIG)."),
        11 or 35 => new StartError(
            StartFailure.Other, $"\"{file}\" was not started: too many processes for this user or control group (EAGAIN)."),
        12 => new StartError(StartFailure.Other, $"\"{file}\" was not started: not enough memory (ENOMEM)."),
        _ => new StartError(StartFailure.Other, $"\"{file}\" was not started: the system answered errno {errno}."),
    };

    private static StartError? WhyNot(string full, System.Func<string, bool> isExecutable) =>
        Directory.Exists(full) ? new StartError(StartFailure.NotExecutable, $"\"{full}\" is a folder, not a program.")
        : !File.Exists(full) ? new StartError(StartFailure.NotFound, $"No file \"{full}\". Check the path.")
        : !isExecutable(full) ? new StartError(StartFailure.NotExecutable,
            $"\"{full}\" has no execute permission for this user: chmod +x it, or start it through its interpreter.")
        : null;
}
