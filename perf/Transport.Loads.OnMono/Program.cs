using System;
using Transport.Loads.Workers;

namespace Transport.Loads;

/// <summary>The sending and receiving ends of the loads as a program for Mono: the same sources, started by perf/Transport.Loads.</summary>
internal static class Program
{
    private static int Main(string[] args)
    {
        try
        {
            return WorkerProgram.Run(args);
        }
        catch (LoadException fault)
        {
            Console.Error.WriteLine(fault.Message);
            return 1;
        }
    }
}
