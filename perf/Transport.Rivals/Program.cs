using System;
using Transport.Loads;
using Transport.Loads.Workers;
using Transport.Rivals.Jobs;
using Transport.Rivals.Report;

namespace Transport.Rivals;

/// <summary>This library beside its peers. This program is the main process and, started by itself, each receiver and sender.</summary>
internal static class Program
{
    private static int Main(string[] args)
    {
        try
        {
            return args switch
            {
                [WorkerProgram.Switch, ..] => WorkerProgram.Run(args[1..], RivalJobs.Make),
                [TailTrial.Switch, ..] => TailTrial.Work(args[1]),
                _ => Comparison.Run(args),
            };
        }
        catch (LoadException fault)
        {
            Console.Error.WriteLine(fault.Message);
            return 1;
        }
    }
}
