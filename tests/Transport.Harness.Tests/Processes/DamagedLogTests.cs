using System;
using System.IO;
using System.IO.Compression;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

[TestFixture]
[Platform(Include = "Linux")]
internal sealed class DamagedLogTests
{
    // Offsets of the unpacked file whose damage MSBuild's reader notices: the version, and a long run of records.
    [TestCase(0, 4)]
    [TestCase(5_000, 40)]
    [TestCase(300_000, 400)]
    public async Task A_damaged_binary_log_is_one_line_and_exit_code_2(int offset, int count)
    {
        using var folder = new TemporaryFolder();
        string file = Path.Combine(folder.Path, "damaged.binlog");
        Damage(file, offset, count);
        using Harness run = await Harness.RunAsync("replay", file, "--nodes", "2", "--summary", "{summary}");

        string said = string.Join('\n', [.. run.Output, .. run.Errors]);
        Assert.That(run.ExitCode, Is.EqualTo(2), said);
        Assert.That(run.Errors, Has.Length.EqualTo(1), said);
        Assert.That(run.Errors[0], Does.StartWith("buildharness: ").And.Contain("damaged.binlog"));
        Assert.That(said, Does.Not.Contain("   at "));
        Assert.That(run.Summary().GetProperty("result").GetString(), Is.EqualTo("failed"));
    }

    private static void Damage(string file, int offset, int count)
    {
        using var packed = new GZipStream(File.OpenRead(Repository.Workload("noop20.binlog")), CompressionMode.Decompress);
        using var plain = new MemoryStream();
        packed.CopyTo(plain);
        byte[] bytes = plain.ToArray();
        for (int i = 0; i < count; i++)
        {
            bytes[offset + i] ^= 0xff;
        }

        using var output = new GZipStream(File.Create(file), CompressionLevel.Fastest);
        output.Write(bytes);
    }
}
