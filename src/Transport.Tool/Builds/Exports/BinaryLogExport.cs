using System;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using Microsoft.Build.Locator;
using Transport.MSBuild;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary><c>export --binlog</c>: a binary log of MSBuild, written by the SDK's own logger.</summary>
internal static class BinaryLogExport
{
    private const string Ending = ".binlog";

    /// <summary>Writes the file, or leaves what is there.</summary>
    /// <param name="log">The build.</param>
    /// <param name="path">The file.</param>
    /// <param name="files">Gets the project files that are put into the log; null: none is.</param>
    /// <returns>How many events it has, and how many files.</returns>
    /// <exception cref="ToolException">There is no SDK, or the file cannot be written.</exception>
    public static (long Events, int Files) Write(BuildLog log, string path, ProjectFiles? files)
    {
        if (!path.EndsWith(Ending, StringComparison.OrdinalIgnoreCase))
        {
            throw new ToolException($"export: --binlog {path}: expected a file that ends with {Ending}: MSBuild writes no other.",
                ToolExitCodes.BadUsage);
        }

        FindSdk();
        return Drafts.Write(path, Ending, draft => WriteTo(draft, path, log, files), IsPlain);
    }

    /// <summary>MSBuild gives some characters of a log's path a meaning: ; ends a parameter, " quotes, {} stands for a number.</summary>
    private static bool IsPlain(string path) => path.All(c => char.IsLetterOrDigit(c) || c is '/' or '\\' or ':' or '.' or '_' or '-' or ' ');

    /// <summary>A method of its own: it names MSBuild's types, which are found at run time.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static (long Events, int Files) WriteTo(
        string draft, string path, BuildLog log, ProjectFiles? files)
    {
        long events = 0;
        using (var writer = new BinaryLogWriter(draft, files, path))
        {
            foreach (LoggedEvent one in log.ReadAll())
            {
                writer.Write(one.Event);
                events++;
            }
        }

        // MSBuild's logger says nothing if it could not keep the files, for want of a temporary folder say: what is there is counted.
        return (events, files is null ? 0 : BinaryLog.Files(draft).Count);
    }

    private static void FindSdk()
    {
        if (MSBuildLocator.IsRegistered)
        {
            return;
        }

        try
        {
            MSBuildLocator.RegisterDefaults();
        }
        catch (InvalidOperationException e)
        {
            throw new ToolException(
                $"export: --binlog needs the .NET SDK, whose MSBuild writes the file: {e.Message}", ToolExitCodes.Fault);
        }
    }
}
