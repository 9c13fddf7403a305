using System;
using Transport.Loads.Commands;
using Transport.Loads.Disks;
using Transport.Loads.Farm;
using Transport.Loads.Scenarios;
using Transport.Loads.Workers;

namespace Transport.Loads;

/// <summary>Process to process loads: this program is both the main process and, started by itself, each worker.</summary>
internal static class Program
{
    private static int Main(string[] args)
    {
        try
        {
            return args switch
            {
                [WorkerProgram.Switch, ..] => WorkerProgram.Run(args[1..], Jobs.Make),
                [AskScenario.Word] => WorkerHost.RunAsync(Locator.Router()).GetAwaiter().GetResult(),
                [FileTable.Word, ..] => FileTable.Run(args[1..]),
                [HistoryCommand.Word, ..] => HistoryCommand.Run(args[1..]),
                [MovesCommand.Word] => MovesCommand.Run(),
                [JournalTable.Word, ..] => JournalTable.Run(args[1..]),
                [FleetShippers.Word, ..] => FleetShippers.RunAsync(args[1..]).GetAwaiter().GetResult(),
                [FleetCommand.Word, ..] => FleetCommand.RunAsync(args[1..]).GetAwaiter().GetResult(),
                [PictureCommand.Word, ..] => PictureCommand.Run(args[1..]),
                [PageCommand.Word, ..] => PageCommand.Run(args[1..]),
                _ => LoadsCommand.Run(args),
            };
        }
        catch (LoadException fault)
        {
            Console.Error.WriteLine(fault.Message);
            return 1;
        }
    }
}
