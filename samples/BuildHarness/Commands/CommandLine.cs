using System;
using System.CommandLine;
using System.CommandLine.Help;
using System.IO;
using System.Linq;
using Transport.Terminal;

namespace BuildHarness.Commands;

/// <summary>Reads the command line. A mistake gives one line on stderr and no help text after it.</summary>
internal static class CommandLine
{
    /// <returns>The options, or the exit code if there is nothing to run.</returns>
    public static (CommonOptions? Options, int ExitCode) Parse(string[] args, TextWriter output, TextWriter error)
    {
        var syntax = new CommandSyntax();

        // MSBuild's own switches first: the parser splits words in another way.
        var switches = new MSBuildSwitches();
        string? mistake = null;
        if (args is ["build", ..])
        {
            args = [.. args.Where(word => !switches.TryTake(word, out string? wrong) || Note(wrong))];
            mistake ??= args.Skip(1).Select(MSBuildSwitches.InsteadOf).FirstOrDefault(hint => hint is not null);
        }

        // No @file: a project or program may be named like that.
        ParseResult parsed = syntax.Root.Parse(args, new ParserConfiguration { ResponseFileTokenReplacer = null });
        if (parsed.Action is HelpAction || parsed.CommandResult.Command == syntax.Root && parsed.Errors.Count == 0
            && parsed.Action is not null)
        {
            int exitCode = parsed.Invoke(new InvocationConfiguration
            {
                Output = output, Error = error, EnableDefaultExceptionHandler = false,
            });
            if (parsed.Action is HelpAction && syntax.ExitCodesOf(parsed.CommandResult.Command) is { } codes)
            {
                output.WriteLine("Exit codes:");
                output.WriteLine("  " + codes);
            }

            return (null, exitCode);
        }

        mistake ??= CommandMistakes.Find(args, parsed);
        CommonOptions? options = mistake is null ? syntax.Read(parsed, switches, out mistake) : null;
        mistake ??= options is null ? null : EmptyWord(options) ?? OutputPaths.Clash(options);
        if (mistake is null)
        {
            return (options, ExitCodes.Success);
        }

        error.WriteLine("buildharness: " + mistake.ReplaceLineEndings(" "));
        return (null, ExitCodes.BadUsage);

        bool Note(string? wrong)
        {
            mistake ??= wrong;
            return false;
        }
    }

    /// <summary>A script's unset variable leaves an empty word, which is no name of anything.</summary>
    private static string? EmptyWord(CommonOptions options) => options switch
    {
        WorkerOptions { Journal.Directory: "" } => "--journal: expected a directory, got an empty word.",
        WorkerOptions { Summary: "" } => "--summary: expected the name of a file, got an empty word.",
        BuildOptions { Log: "" } or RunOptions { Log: "" } => "--log: expected the name of a file, got an empty word.",
        BuildOptions { CollectOutputs: "" } => "--collect-outputs: expected the name of a folder, got an empty word.",
        BuildOptions { Farm.Url: "" } => "--farm: expected a server's address, got an empty word.",
        AgentCommandOptions { Farm.Url: "" } => "--nats: expected a server's address, got an empty word.",
        BuildOptions { Path: "" } => "build: expected a .sln, .slnx or project file, got an empty word.",
        ReplayOptions { File: "" } => "replay: expected a binary log or a journal, got an empty word.",
        ExtractOptions { File: "" } => "extract: expected an archive, got an empty word.",
        ExtractOptions extract when !OperatingSystem.IsWindows() && extract.Directory.Contains('\uFFFD') =>
            "extract: the name of the folder is no UTF-8; another folder would appear.",
        ExtractOptions { Directory: "" } => "extract: expected the name of a folder, got an empty word.",
        ExtractOptions { Trace: "" } => "--trace: expected the name of a file, got an empty word.",
        RunOptions { Program: "" } => "run: expected a program after --, got an empty word.",
        _ => null,
    };
}
