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
        if (args is [WorkerFleet.WorkerCommand, var work])
        {
            return await WorkerProgram.RunAsync(work == WorkerFleet.Builds).ConfigureAwait(false);
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
#pragma warning disable CA1031 // the last resort: a mistake of this program is told in one line too
        catch (Exception e) when (Environment.GetEnvironmentVariable("BUILDHARNESS_DEBUG") is not "1")
#pragma warning restore CA1031
        {
            Console.Error.WriteLine($"buildharness: a mistake of this program, {e.GetType().Name}: {e.Message.ReplaceLineEndings(" ")} (BUILDHARNESS_DEBUG=1 shows where)");
            return options is RunOptions ? ExitCodes.RunFault : ExitCodes.HarnessFault;
        }
    }
}
