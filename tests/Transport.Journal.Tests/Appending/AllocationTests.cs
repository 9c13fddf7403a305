using System;
using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using NUnit.Framework;
using Transport.Journal.Tests.Processes;
using Transport.Testing;

namespace Transport.Journal.Tests.Appending;

/// <summary>Nothing is allocated for a packet: counted in a process that does nothing else.</summary>
internal sealed class AllocationTests
{
    /// <summary>What the runtime itself allocates meanwhile (its tiers, its pool), over all packets.</summary>
    private const double Most = 2.0;

    [TestCase("group", "write")]
    [TestCase("async", "write")]
    [TestCase("waiting", "write")]
    [TestCase("queued", "write")]
    [TestCase("group", "uring")]
    [TestCase("async", "uring")]
    public void Nothing_is_allocated_for_a_packet(string how, string backEnd)
    {
        if (RuntimeInformation.FrameworkDescription.StartsWith("Mono", StringComparison.Ordinal))
        {
            Assert.Ignore("the counter is .NET's own");
        }

        using var folder = new TestFolder();
        var start = new ProcessStartInfo("dotnet", $"\"{TestHost.Find(TestHost.Net)}\" journal-allocations "
            + $"{how} \"{folder.Journal}\"") { RedirectStandardOutput = true, UseShellExecute = false };
        start.Environment["DOTNET_TieredCompilation"] = "0";
        start.Environment[BackEndChoice.Variable] = backEnd;   // where uring is not to be had, write is counted twice
        using Process process = Process.Start(start)!;
        string said = process.StandardOutput.ReadToEnd();
        Assert.That(process.WaitForExit(60_000), Is.True);
        Assert.That(process.ExitCode, Is.Zero);
        Assert.That(double.Parse(said.Trim(), CultureInfo.InvariantCulture), Is.LessThan(Most), "bytes a packet");
    }
}
