using System;
using System.CommandLine;
using System.CommandLine.Help;
using System.IO;
using System.Threading.Tasks;

namespace Transport.Tool;

/// <summary>The program <c>transport</c>.</summary>
internal static class Program
{
    private const string Name = "transport";

    private static async Task<int> Main(string[] args)
    {
        try
        {
            return await RunAsync(args).ConfigureAwait(false);
        }
        catch (ToolException e)
        {
            Report($"{Name}: {e.Message}");
            return e.ExitCode;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Report($"{Name}: stdout cannot be written: {e.Message}");
            return ToolExitCodes.Fault;
        }
    }

    private static async Task<int> RunAsync(string[] args)
    {
        var journals = new JournalCommands(Name, new PacketCatalog(), Report);
        var check = new CheckWorkerCommand();
        var collect = new CollectCommand();
        var export = new ExportCommand();
        var root = new RootCommand("Watches builds, looks at journals of packets, and checks workers of other languages.")
        {
            collect.Command, export.Command, journals.Journal, journals.Follow, check.Command,
        };
        ParseResult parsed = root.Parse(args, new ParserConfiguration { ResponseFileTokenReplacer = null });
        Command command = parsed.CommandResult.Command;
        if (parsed.Action is HelpAction || (command == root && parsed.Errors.Count == 0 && parsed.Action is not null))
        {
            int exitCode = await parsed.InvokeAsync(new InvocationConfiguration { EnableDefaultExceptionHandler = false })
                .ConfigureAwait(false);
            string? exitCodes = command == check.Command ? CheckWorkerCommand.ExitCodes
                : command == collect.Command ? CollectCommand.ExitCodes
                : command == export.Command ? ExportCommand.ExitCodes
                : journals.Has(command) ? journals.ExitCodesOf(command) : null;
            if (parsed.Action is HelpAction && exitCodes is not null)
            {
                Console.Out.WriteLine("Exit codes:\n  " + exitCodes);
            }

            return exitCode;
        }

        if ((CommandMistakes.Find(args, parsed) ?? (journals.Has(command) ? journals.MistakeIn(parsed) : null)) is { } mistake)
        {
            Report($"{Name}: {mistake}");
            return ToolExitCodes.BadUsage;
        }

        Task<int> run = command == check.Command ? check.RunAsync(parsed)
            : command == collect.Command ? collect.RunAsync(parsed, Report)
            : command == export.Command ? Task.FromResult(export.Run(parsed, Report))
            : journals.RunAsync(parsed);
        return await run.ConfigureAwait(false);
    }

    private static void Report(string sentence)
    {
        try
        {
            Console.Error.WriteLine(TerminalText.Line(sentence.ReplaceLineEndings(" ")));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            // A full disk behind stderr: the exit code must do.
        }
    }
}
