using System;
using System.IO;
using System.Threading.Tasks;
using BuildHarness.Building;
using BuildHarness.Commands;
using BuildHarness.Display;
using BuildHarness.Worker;

namespace BuildHarness;

/// <summary>Chooses the command. Nothing here may name a type of MSBuild: it is not found yet.</summary>
internal static class Program
{
    private static async Task<int> Main(string[] args)
    {
        if (args is [WorkerFleet.WorkerCommand, var work])
        {
            return await WorkerProgram.RunAsync(builds: work is WorkerFleet.Builds or WorkerFleet.TracedBuilds, traces: work == WorkerFleet.TracedBuilds).ConfigureAwait(false);
        }

        CommonOptions? options = null;
        try
        {
            using var mistake = new StringWriter();
            (options, int exitCode) = CommandLine.Parse(args, Console.Out, mistake);
            if (options is not null)
            {
                return await Dispatcher.RunAsync(options).ConfigureAwait(false);
            }

            if (mistake.GetStringBuilder().Length > 0)
            {
                Stderr.Tell(mistake.ToString().TrimEnd());
            }

            return exitCode;
        }
        catch (HarnessException e)
        {
            Stderr.Tell("buildharness: " + e.Message);
            return e.ExitCode;
        }
        catch (Exception e) when (options is null && e is IOException or UnauthorizedAccessException)
        {
            // The help text; everything else is written where it is known what to do.
            Stderr.Tell($"buildharness: stdout cannot be written: {e.Message}");
            return ExitCodes.HarnessFault;
        }
#pragma warning disable CA1031 // the last resort: a mistake of this program is told in one line too
        catch (Exception e) when (!Mistakes.ShowWhere)
#pragma warning restore CA1031
        {
            Stderr.Tell($"buildharness: {Mistakes.Of(e)}");
            return options is RunOptions ? ExitCodes.RunFault : ExitCodes.HarnessFault;
        }
    }
}
