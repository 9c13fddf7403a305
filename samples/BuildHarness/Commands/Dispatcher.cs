using System;
using System.Threading.Tasks;
using BuildHarness.Building;
using BuildHarness.Display;
using BuildHarness.Summary;
using BuildHarness.Worker;
using Transport.Terminal;

namespace BuildHarness.Commands;

/// <summary>Runs the command that was asked for.</summary>
internal static class Dispatcher
{
    /// <exception cref="ToolException">The command cannot do its work.</exception>
    public static async Task<int> RunAsync(CommonOptions options)
    {
        TimeProvider clock = TimeProvider.System;
        using var interrupt = new Interrupt();
        return options switch
        {
            WorkerOptions work => await RunAsync(work, interrupt, clock).ConfigureAwait(false),
            AgentCommandOptions agent => await RunAsync(agent, interrupt, clock).ConfigureAwait(false),
            ExtractOptions extract => await new ExtractCommand(extract, interrupt, clock).RunAsync().ConfigureAwait(false),
            _ => throw new InvalidOperationException($"{options.GetType().Name} has no command."),
        };
    }

    private static async Task<int> RunAsync(AgentCommandOptions options, Interrupt interrupt, TimeProvider clock)
    {
        SdkMSBuild.Find();
        using IDisplay display = Displays.Create(interrupt.Token, clock);
        return await new AgentCommand(options, interrupt, display).RunAsync().ConfigureAwait(false);
    }

    private static async Task<int> RunAsync(WorkerOptions options, Interrupt interrupt, TimeProvider clock)
    {
        long start = clock.GetTimestamp();
        var duty = new SummaryDuty(options.Summary);
        interrupt.LastWords = WriteFailed;
        try
        {
            return await RunAsync(options, interrupt, duty, clock).ConfigureAwait(false);
        }
        finally
        {
            // Whatever came before the command could write it, or between.
            WriteFailed();
        }

        void WriteFailed() => duty.TryWrite(new RunSummary
        {
            Succeeded = false, WallMs = (long)clock.GetElapsedTime(start).TotalMilliseconds,
        });
    }

    private static async Task<int> RunAsync(WorkerOptions options, Interrupt interrupt, SummaryDuty duty, TimeProvider clock)
    {
        switch (options)
        {
            case BuildOptions build:
                string dotnet = SdkMSBuild.Find();
                build = build with { Path = SolutionPaths.Find(build.Path) };
                using (IDisplay display = Displays.Create(interrupt.Token, clock))
                {
                    build = ResponseFile.AddTo(build, line => display.Line(line, LineKind.Warning));
                    return await new BuildCommand(build, dotnet, interrupt, display, duty, clock).RunAsync().ConfigureAwait(false);
                }

            case ReplayOptions replay:
                SdkMSBuild.Find();
                using (IDisplay display = Displays.Create(interrupt.Token, clock))
                {
                    return await new ReplayCommand(replay, interrupt, display, duty, clock).RunAsync().ConfigureAwait(false);
                }

            case RunOptions run:
                return await new RunCommand(run, interrupt, duty, clock).RunAsync().ConfigureAwait(false);
            default:
                throw new InvalidOperationException($"{options.GetType().Name} has no command.");
        }
    }
}
