using System;
using System.Diagnostics;
using Transport.Loads.Measuring;

namespace Transport.Loads.Trees;

/// <summary>What writing a tree took.</summary>
/// <param name="Seconds">From the start of the program, or of the call, to its end.</param>
/// <param name="CpuMicros">User and kernel time of the program, or of this process.</param>
internal readonly record struct TreeSample(double Seconds, double CpuMicros)
{
    /// <summary>Measures a call in this process.</summary>
    public static TreeSample Of(Action call)
    {
        Usage before = Usage.Now();
        call();
        Usage used = Usage.Now() - before;
        return new TreeSample(used.Seconds, used.CpuMicros);
    }

    /// <summary>Measures a program from start to end.</summary>
    /// <exception cref="LoadException">It failed.</exception>
    public static TreeSample OfProgram(string program, params string[] arguments)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true,
        };
        double cpu = CpuTime.OfChildren();
        long from = Stopwatch.GetTimestamp();
        using Process process = Process.Start(start)!;
        string said = process.StandardError.ReadToEnd();
        process.WaitForExit();
        double seconds = Stopwatch.GetElapsedTime(from).TotalSeconds;
        return process.ExitCode == 0
            ? new TreeSample(seconds, CpuTime.OfChildren() - cpu)
            : throw new LoadException($"{program} {string.Join(' ', arguments)} ended with {process.ExitCode}: {said.Trim()}");
    }
}
