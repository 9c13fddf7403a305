using System;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;

namespace Transport.Loads.Report;

/// <summary>What the figures were measured on.</summary>
internal sealed record Machine(int Cores, string Cpu, string Os, string Runtime)
{
    public static Machine This() =>
        new(Environment.ProcessorCount, CpuName(), RuntimeInformation.OSDescription, RuntimeInformation.FrameworkDescription);

    public override string ToString() => $"{Cores} cores, {Cpu}, {Os}, {Runtime}";

    private static string CpuName()
    {
        const string List = "/proc/cpuinfo";
        string? line = File.Exists(List) ? File.ReadLines(List).FirstOrDefault(l => l.StartsWith("model name", StringComparison.Ordinal))
            : null;
        return line?[(line.IndexOf(':') + 1)..].Trim() ?? RuntimeInformation.ProcessArchitecture.ToString();
    }
}
