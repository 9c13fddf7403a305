using System;
using Transport.Loads.Workers;

namespace Transport.Loads;

/// <summary>The sending and receiving ends of the loads as a program for Mono, which perf/Transport.Loads starts.</summary>
internal static class Program
{
    private static int Main(string[] args)
    {
        try
        {
            return WorkerProgram.Run(args, LinkJobs.Make);
        }
        catch (LoadException fault)
        {
            Console.Error.WriteLine(fault.Message);
            return 1;
        }
    }
}
