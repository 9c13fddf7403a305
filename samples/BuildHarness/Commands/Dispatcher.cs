using System;
using System.Threading.Tasks;
using BuildHarness.Display;
using BuildHarness.Worker;

namespace BuildHarness.Commands;

/// <summary>Runs the command that was asked for.</summary>
internal static class Dispatcher
{
    /// <exception cref="HarnessException">The command cannot do its work.</exception>
    public static async Task<int> RunAsync(CommonOptions options)
    {
        TimeProvider clock = TimeProvider.System;
        using var interrupt = new Interrupt();
        switch (options)
        {
            case BuildOptions build:
                string dotnet = SdkMSBuild.Find();
                using (IDisplay display = Displays.Create(clock))
                {
                    return await new BuildCommand(build, dotnet, interrupt, display, clock).RunAsync().ConfigureAwait(false);
                }

            case ReplayOptions replay:
                SdkMSBuild.Find();
                using (IDisplay display = Displays.Create(clock))
                {
                    return await new ReplayCommand(replay, interrupt, display, clock).RunAsync().ConfigureAwait(false);
                }

            case RunOptions run:
                return await new RunCommand(run, interrupt, clock).RunAsync().ConfigureAwait(false);
            default:
                throw new InvalidOperationException($"{options.GetType().Name} has no command.");
        }
    }
}
