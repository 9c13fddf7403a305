using System;
using System.Collections.Generic;
using System.CommandLine;
using System.Globalization;

namespace Transport.Tool;

/// <summary>The command <c>export</c>.</summary>
internal sealed class ExportCommand
{
    /// <summary>What the exit codes mean, for the help.</summary>
    public const string ExitCodes = "0 written; 2 bad usage, or no journal; 3 the journal cannot be read, or a file cannot be written.";

    private readonly Argument<string?> _directory = new("DIR")
    {
        Description = "The journal's folder; by default that of this user's newest build.", Arity = ArgumentArity.ZeroOrOne,
    };

    private readonly Option<string?> _binaryLog = new("--binlog")
    {
        Description = "Writes a binary log of MSBuild (.binlog): dotnet msbuild and the structured log viewer open it.",
    };

    /// <summary>Initializes a new instance of the <see cref="ExportCommand"/> class.</summary>
    public ExportCommand() => Command = new Command("export", "Makes other forms of a build that collect, or buildharness build --journal, "
        + "has kept; also of one that was killed.") { _directory, _binaryLog };

    /// <summary>Gets the command.</summary>
    public Command Command { get; }

    /// <summary>Runs it.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="report">Writes a line to stderr.</param>
    /// <returns>The exit code.</returns>
    /// <exception cref="ToolException">The journal cannot be read, or a file cannot be written.</exception>
    public int Run(ParseResult parsed, Action<string> report)
    {
        string? directory = parsed.GetValue(_directory);
        var exports = new List<(string Path, Func<BuildLog, long> Write)>();
        if (parsed.GetValue(_binaryLog) is { } binaryLog)
        {
            exports.Add((binaryLog, log => BinaryLogExport.Write(log, binaryLog)));
        }

        if (exports.Count == 0)
        {
            throw new ToolException("export: name what to make: --binlog FILE (see --help).", ToolExitCodes.BadUsage);
        }

        foreach ((string path, Func<BuildLog, long> write) in exports)
        {
            using BuildLog log = BuildLog.Open(directory, follow: false);
            long events = write(log);
            report(string.Create(CultureInfo.InvariantCulture, $"{path}: {events:N0} events of {log.Directory}{Rest(log)}"));
        }

        return ToolExitCodes.Success;
    }

    private static string Rest(BuildLog log) => log.Ending is { } ending ? $"; the journal ends early: {ending}" : string.Empty;
}
