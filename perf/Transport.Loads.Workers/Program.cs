using System;
using Transport.Loads.Disks;
using Transport.Loads.Workers;

namespace Transport.Loads;

/// <summary>The sending and receiving ends of the loads as a program for Mono, which perf/Transport.Loads starts, and the table of
/// files.</summary>
internal static class Program
{
    private static int Main(string[] args)
    {
        try
        {
            return args.Length > 0 && args[0] == FileTable.Word
                ? FileTable.Run(args.AsSpan(1).ToArray())
                : WorkerProgram.Run(args, LinkJobs.Make);
        }
        catch (LoadException fault)
        {
            Console.Error.WriteLine(fault.Message);
            return 1;
        }
    }
}
