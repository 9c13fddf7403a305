using System;
using System.IO;
using System.Runtime.CompilerServices;
using Microsoft.Build.Locator;
using Transport.MSBuild;

namespace Transport.Tool;

/// <summary><c>export --binlog</c>: a binary log of MSBuild, written by the SDK's own logger.</summary>
internal static class BinaryLogExport
{
    private const string Ending = ".binlog";

    /// <summary>Writes the file, or leaves what is there.</summary>
    /// <param name="log">The build.</param>
    /// <param name="path">The file.</param>
    /// <returns>How many events it has.</returns>
    /// <exception cref="ToolException">There is no SDK, or the file cannot be written.</exception>
    public static long Write(BuildLog log, string path)
    {
        if (!path.EndsWith(Ending, StringComparison.OrdinalIgnoreCase))
        {
            throw new ToolException($"export: --binlog {path}: expected a file that ends with {Ending}: MSBuild writes no other.",
                ToolExitCodes.BadUsage);
        }

        FindSdk();
        return Drafts.Write(path, Ending, draft => WriteTo(draft, log));
    }

    /// <summary>A method of its own: it names MSBuild's types, which are found at run time.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long WriteTo(string draft, BuildLog log)
    {
        long events = 0;
        using var writer = new BinaryLogWriter(draft);
        foreach (LoggedEvent one in log.ReadAll())
        {
            writer.Write(one.Event);
            events++;
        }

        return events;
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
