using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;
using System.Linq;
using NUnit.Framework;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Fields;

/// <summary>Python's msgpack sees the values that docs/packets.md promises, and encodes them to the same bytes.</summary>
internal sealed class PythonTests
{
    private const int MissingPackage = 3;
    private const string Needed = "Needs python3-msgpack (Debian: apt-get install python3-msgpack)";

    private static string Script => Source.Find(Path.Combine("..", "Transport.Tests", "interop", "check.py"));

    /// <summary>Gets the bytes of packets, each with what Python shall see in them.</summary>
    private static IEnumerable<(byte[] Body, string Seen)> Samples =>
        [.. FrameworkTypeTests.Samples, .. CollectionTests.Samples, .. FormatterTests.Samples, .. UnionTests.Samples];

    [Test]
    public void Python_sees_what_was_sent()
    {
        string folder = Path.Combine(TestContext.CurrentContext.WorkDirectory, "fields-" + Guid.NewGuid().ToString("N"));
        Directory.CreateDirectory(folder);
        try
        {
            string ours = Path.Combine(folder, "ours.bin");
            string theirs = Path.Combine(folder, "theirs.bin");
            File.WriteAllBytes(ours, [.. Samples.SelectMany(s => s.Body)]);
            Assert.That(Run($"\"{Script}\" \"{ours}\" \"{theirs}\""), Is.EqualTo(Samples.Select(s => s.Seen)));
            Assert.That(Bytes.Hex(File.ReadAllBytes(theirs)), Is.EqualTo(string.Concat(Samples.Select(s => Bytes.Hex(s.Body)))));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static string[] Run(string arguments)
    {
        var start = new ProcessStartInfo("/usr/bin/python3", arguments) { RedirectStandardOutput = true, UseShellExecute = false };
        try
        {
            using Process process = Process.Start(start)!;
            string output = process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            if (process.ExitCode == MissingPackage)
            {
                Missing();
            }

            Assert.That(process.ExitCode, Is.Zero);
            return output.Split(['\n'], StringSplitOptions.RemoveEmptyEntries);
        }
        catch (Win32Exception)
        {
            Missing();
            return [];
        }
    }

    private static void Missing()
    {
        if (Environment.GetEnvironmentVariable("CI") == "true")
        {
            Assert.Fail(Needed);
        }

        Assert.Ignore(Needed);
    }
}
