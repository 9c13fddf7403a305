using System;
using System.IO;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;
using BuildHarness.Building;
using BuildHarness.Commands;
using BuildHarness.Display;
using BuildHarness.Worker;
using Transport;
using Transport.Terminal;

namespace BuildHarness;

/// <summary>Chooses the command. Nothing here may name a type of MSBuild: it is not found yet.</summary>
internal static class Program
{
    private static int Main(string[] args)
    {
        // First of all; what comes behind is in a method of its own: it needs more of the system, if only for the assemblies that it names.
        if (Limits.Shortage(args) is { } shortage)
        {
            RawStderr.Report(shortage);
            return args.Length > 0 && args[0] == "run" ? ExitCodes.RunFault : ExitCodes.HarnessFault;
        }

        return Run(args);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Run(string[] args)
    {
        ChildProcess.KeepExitStatuses();
        return RunAsync(args).GetAwaiter().GetResult();
    }

    private static async Task<int> RunAsync(string[] args)
    {
        if (args is [WorkerFleet.WorkerCommand, var work])
        {
            return await WorkerProgram.RunAsync(builds: work is WorkerFleet.Builds or WorkerFleet.TracedBuilds,
                traces: work == WorkerFleet.TracedBuilds).ConfigureAwait(false);
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
                Stderr.Report(mistake.ToString().TrimEnd());
            }

            return exitCode;
        }
        catch (ToolException e)
        {
            Stderr.Report("buildharness: " + e.Message);
            return e.ExitCode;
        }
        catch (Exception e) when (options is null && e is IOException or UnauthorizedAccessException)
        {
            // The help text; everything else is written where it is known what to do.
            Stderr.Report($"buildharness: stdout cannot be written: {e.Message}");
            return ExitCodes.HarnessFault;
        }
#pragma warning disable CA1031 // the last resort: a mistake of this program is reported in one line too
        catch (Exception e) when (!Mistakes.ShowWhere)
#pragma warning restore CA1031
        {
            Stderr.Report($"buildharness: {Mistakes.Of(e)}");
            return options is RunOptions ? ExitCodes.RunFault : ExitCodes.HarnessFault;
        }
    }
}
