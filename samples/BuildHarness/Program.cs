using System;
using System.Threading.Tasks;
using BuildHarness.Building;
using BuildHarness.Commands;
using BuildHarness.Worker;

namespace BuildHarness;

/// <summary>Chooses the command. Nothing here may name a type of MSBuild: it is not found yet.</summary>
internal static class Program
{
    private static async Task<int> Main(string[] args)
    {
        if (args is [WorkerFleet.WorkerCommand])
        {
            return await WorkerProgram.RunAsync().ConfigureAwait(false);
        }

        (CommonOptions? options, int exitCode) = CommandLine.Parse(args, Console.Out, Console.Error);
        if (options is null)
        {
            return exitCode;
        }

        try
        {
            return await Dispatcher.RunAsync(options).ConfigureAwait(false);
        }
        catch (HarnessException e)
        {
            Console.Error.WriteLine("buildharness: " + e.Message.ReplaceLineEndings(" "));
            return e.ExitCode;
        }
    }
}
