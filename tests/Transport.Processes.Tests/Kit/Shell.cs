using System.Linq;
using System.Threading.Tasks;
using Transport.Testing.Wires;
using Transport.Testing;

namespace Transport.Processes.Tests.Kit;

/// <summary>Starts small shell commands, if a runtime in the child would only be in the way.</summary>
internal static class Shell
{
    public static WorkerStartOptions Command(string command) => new("/bin/sh", "-c", command);

    public static async Task<(ProcessExit End, Lines Lines)> Run(WorkerStartOptions start)
    {
        var lines = new Lines();
        ChildProcess child = ChildProcess.Start(start.With(output: lines.Take));
        ProcessExit end = await child.WaitForExitAsync()
            .Within($"the end of {string.Join(" ", start.Arguments.Take(3))}").ConfigureAwait(false);
        return (end, lines);
    }

    public static Task<(ProcessExit End, Lines Lines)> Run(string command) => Run(Command(command));
}
