using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing.Wires;
using Transport.Tests.Architecture;

namespace Transport.Tests.Links;

/// <summary>A stream of packets allocates nothing a packet. Measured in a process of its own, which runs on .NET whatever runs this test.</summary>
internal sealed class AllocationTests
{
    [TestCase("unix")]
    [TestCase("pipe")]
    public async Task A_million_packets_allocate_less_than_a_byte_each(string wire)
    {
        string configuration = new DirectoryInfo(TestContext.CurrentContext.TestDirectory).Parent!.Name;
        string helper = Path.Combine(Sources.Root, "tests", "Transport.AllocationHelper", "bin", configuration, "net10.0", "Transport.AllocationHelper.dll");
        var start = new ProcessStartInfo("dotnet", $"exec \"{helper}\" {wire}") { UseShellExecute = false, RedirectStandardOutput = true };
        using Process process = Process.Start(start)!;
        string printed = await process.StandardOutput.ReadToEndAsync().Within("the helper");
        process.WaitForExit();
        Assert.That(process.ExitCode, Is.Zero);
        TestContext.Out.WriteLine($"{printed.Trim()} B a packet");
        Assert.That(double.Parse(printed, CultureInfo.InvariantCulture), Is.LessThan(1));
    }
}
