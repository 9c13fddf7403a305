using System.Linq;
using System.Threading.Tasks;
using NUnit.Framework;
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

    /// <summary>Runs a program, and returns what it wrote, to both streams.</summary>
    public static async Task<string> Said(WorkerStartOptions start)
    {
        (ProcessExit end, Lines lines) = await Run(start).ConfigureAwait(false);
        string said = string.Join("\n", lines.All().Select(line => line.Text));
        TestContext.Out.WriteLine($"{end}: {said}");
        return said;
    }

    public static Task<(ProcessExit End, Lines Lines)> Run(string command) => Run(Command(command));
}
