using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;
using Transport.Testing.Wires;
using Transport.Tests.Architecture;

namespace Transport.Tests.Links;

/// <summary>A stream of packets allocates nothing a packet. Measured in a process of its own, which runs on .NET whatever runs this
/// test.</summary>
internal sealed class AllocationTests
{
    [TestCase("unix")]
    [TestCase("pipe")]
    public async Task A_million_packets_allocate_less_than_a_byte_each(string wire) =>
        Assert.That(await BytesAPacket(wire, 256, 1_000_000), Is.LessThan(1));

    /// <summary>At every eighth or so of these the sender waits for capacity. A segment that the pool does not have yet is 2.6 B a
    /// packet.</summary>
    [Test]
    public async Task A_send_that_waits_for_capacity_allocates_next_to_nothing() =>
        Assert.That(await BytesAPacket("unix", 60_000, 100_000), Is.LessThan(5));

    private static async Task<double> BytesAPacket(string wire, int size, int count)
    {
        string arguments = $"exec \"{TestHost.Find(TestHost.Net)}\" link-allocations {wire} {size} {count}";
        var start = new ProcessStartInfo("dotnet", arguments) { UseShellExecute = false, RedirectStandardOutput = true };
        using Process process = Process.Start(start)!;
        string printed = await process.StandardOutput.ReadToEndAsync().Within("the helper");
        process.WaitForExit();
        Assert.That(process.ExitCode, Is.Zero);
        TestContext.Out.WriteLine($"{printed.Trim()} B a packet");
        return double.Parse(printed, CultureInfo.InvariantCulture);
    }
}
