using System;
using System.IO;

namespace Transport.Loads.Workers;

/// <summary>Which program a worker is: this one again, or the same sources under mono.</summary>
internal sealed record WorkerKind(string Name, string Program, string[] Arguments)
{
    /// <summary>Gets this program, on .NET.</summary>
    public static WorkerKind Net { get; } = new(
        ".NET 10",
        Environment.ProcessPath!,
        string.Equals(Path.GetFileNameWithoutExtension(Environment.ProcessPath), "dotnet", StringComparison.Ordinal)
            ? [typeof(WorkerKind).Assembly.Location, WorkerProgram.Switch]
            : [WorkerProgram.Switch]);

    /// <summary>Gets the environment variables that are set for it.</summary>
    public (string Name, string Value)[] Settings { get; private init; } = [];

    /// <summary>Makes the same program with one more environment variable set.</summary>
    public WorkerKind With(string name, string value) => this with { Settings = [.. Settings, (name, value)] };

    /// <summary>Finds mono and the program for it.</summary>
    /// <param name="why">Why there is none, or empty.</param>
    /// <returns>Null if mono is not installed or the program was not built.</returns>
    public static WorkerKind? Mono(out string why)
    {
        string program = Repository.Output("perf/Transport.Loads.Workers", "net472", "loads-on-mono.exe");
        string? mono = Repository.OnPath("mono");
        why = mono is null ? "no mono here" : !File.Exists(program) ? "perf/Transport.Loads.Workers is not built" : string.Empty;
        return why.Length > 0 ? null : new WorkerKind("Mono", mono!, [program]);
    }
}
