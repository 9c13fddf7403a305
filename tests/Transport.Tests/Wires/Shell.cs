using System.Diagnostics;
using NUnit.Framework;

namespace Transport.Tests.Wires;

/// <summary>Small tools of the system, for what the old frameworks cannot do.</summary>
internal static class Shell
{
    public static string Output(string program, string arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { UseShellExecute = false, RedirectStandardOutput = true };
        using Process process = Process.Start(start)!;
        string output = process.StandardOutput.ReadToEnd().Trim();
        process.WaitForExit();
        Assert.That(process.ExitCode, Is.Zero, $"{program} {arguments}");
        return output;
    }
}
