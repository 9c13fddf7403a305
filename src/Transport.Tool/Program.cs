using System;
using System.Collections.Generic;
using System.CommandLine;
using System.CommandLine.Help;
using System.IO;
using System.Threading.Tasks;
using Transport.Terminal;

namespace Transport.Tool;

/// <summary>The program <c>transport</c>.</summary>
internal static class Program
{
    private const string Name = "transport";

    private static async Task<int> Main(string[] args)
    {
        ChildProcess.KeepExitStatuses();
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
#pragma warning disable CA1031 // a defect of this program: a line, and no core file of a process that read somebody's journal
        catch (Exception e)
#pragma warning restore CA1031
        {
            Report($"{Name}: a defect of this program, please report it: {e.GetType().FullName}: {e.Message}");
            return ToolExitCodes.Fault;
        }
    }

    private static async Task<int> RunAsync(string[] args)
    {
        var journals = new JournalCommands(Name, static () => new PacketCatalog(), Report);
        var check = new CheckWorkerCommand();
        var collect = new CollectCommand();
        var watch = new WatchCommand();
        var query = new QueryCommand();
        var export = new ExportCommand();
        var ship = new ShipCommand();
        var receive = new ReceiveCommand();
        var doctor = new DoctorCommand();
        var root = new RootCommand("Watches builds, looks at journals of packets and ships them, and checks workers of other languages.")
        {
            collect.Command, watch.Command, query.Command, export.Command, journals.Journal, journals.Follow, ship.Command,
            receive.Command, check.Command, doctor.Command,
        };
        var runs = new Dictionary<Command, (string ExitCodes, Func<ParseResult, Task<int>> RunAsync)>
        {
            [collect.Command] = (CollectCommand.ExitCodes, parsed => collect.RunAsync(parsed, Report)),
            [watch.Command] = (WatchCommand.ExitCodes, watch.RunAsync),
            [query.Command] = (QueryCommand.ExitCodes, parsed => Task.FromResult(query.Run(parsed, Report))),
            [export.Command] = (ExportCommand.ExitCodes, parsed => export.RunAsync(parsed, Report)),
            [ship.Command] = (ShipCommand.ExitCodes, parsed => ship.RunAsync(parsed, Report)),
            [receive.Command] = (ReceiveCommand.ExitCodes, parsed => receive.RunAsync(parsed, Report)),
            [doctor.Command] = (DoctorCommand.ExitCodes, doctor.RunAsync),
            [check.Command] = (CheckWorkerCommand.ExitCodes, check.RunAsync),
        };
        ParseResult parsed = root.Parse(args, new ParserConfiguration { ResponseFileTokenReplacer = null });
        Command command = parsed.CommandResult.Command;
        if (parsed.Action is HelpAction || (command == root && parsed.Errors.Count == 0 && parsed.Action is not null))
        {
            int exitCode = await parsed.InvokeAsync(new InvocationConfiguration { EnableDefaultExceptionHandler = false })
                .ConfigureAwait(false);
            string? exitCodes = runs.TryGetValue(command, out (string ExitCodes, Func<ParseResult, Task<int>> RunAsync) one) ? one.ExitCodes
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

        return await (runs.TryGetValue(command, out (string ExitCodes, Func<ParseResult, Task<int>> RunAsync) run)
            ? run.RunAsync(parsed) : journals.RunAsync(parsed)).ConfigureAwait(false);
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
