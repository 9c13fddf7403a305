using System;
using System.Linq;
using Transport.Loads.Measuring;

namespace Transport.Loads.Workers;

/// <summary>The worker process: one job, ordered over stdin, answered over stdout. Nothing else goes that way, so that the measured path is
/// the column's alone.</summary>
internal static class WorkerProgram
{
    /// <summary>The first argument of a worker process.</summary>
    public const string Switch = "--worker";

    /// <summary>Does the orders until there are no more: <c>go …</c> begins a round, <c>on …</c> goes on with it, <c>stop</c> asks what it
    /// has used.</summary>
    /// <param name="args">The job and what it takes.</param>
    /// <param name="make">Makes the job.</param>
    public static int Run(string[] args, Func<string[], IJob> make)
    {
        int main = ParentProcess.Id();
        try
        {
            return Serve(args, make);
        }
        catch (Exception) when (ParentProcess.Id() != main)
        {
            return 1;   // the main process was killed: nobody is there to report to
        }
    }

    private static int Serve(string[] args, Func<string[], IJob> make)
    {
        using IJob job = make(args);
        Console.WriteLine("ready");
        Usage before = default;
        while (Console.ReadLine() is { } line)
        {
            string[] words = line.Split(' ');
            switch (words[0])
            {
                case "go":
                    before = Usage.Now();
                    Console.WriteLine("done " + job.Run([.. words.Skip(1)]));
                    break;
                case "on":
                    Console.WriteLine("done " + job.Run([.. words.Skip(1)]));
                    break;
                case "stop":
                    Console.WriteLine("usage " + (Usage.Now() - before));
                    break;
                default:
                    return 0;
            }
        }

        return 0;
    }
}
