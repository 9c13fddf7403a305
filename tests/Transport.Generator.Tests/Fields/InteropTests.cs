using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;
using System.Linq;
using NUnit.Framework;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Fields;

/// <summary>Other implementations of MessagePack see the values that docs/reference/packet-fields.md promises, and encode them to the same
/// bytes.</summary>
internal sealed class InteropTests
{
    private const int MissingPackage = 3;

    private static string Modules =>
        Environment.GetEnvironmentVariable("TRANSPORT_NODE_MODULES") is { Length: > 0 } set
            ? set
            : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".cache", "transport-node", "node_modules");

    /// <summary>Gets the bytes of packets, each with what the others shall see in them.</summary>
    private static IEnumerable<(byte[] Body, string Seen)> Samples =>
        [.. FrameworkTypeTests.Samples, .. CollectionTests.Samples, .. FormatterTests.Samples, .. UnionTests.Samples];

    [Test]
    public void Python_sees_what_was_sent() =>
        Check("/usr/bin/python3", $"\"{Script("check.py")}\"", "python3-msgpack (Debian: apt-get install python3-msgpack)");

    [Test]
    public void Node_sees_what_was_sent() =>
        Check(
            "node",
            $"\"{Script("check.mjs")}\" \"{Modules}\"",
            $"node with @msgpack/msgpack in {Modules} (npm install --prefix DIR @msgpack/msgpack, "
                + "TRANSPORT_NODE_MODULES=DIR/node_modules)");

    private static string Script(string name) => Source.Find(Path.Combine("..", "Transport.Tests", "interop", name));

    private static void Check(string program, string arguments, string needed)
    {
        string folder = Path.Combine(TestContext.CurrentContext.WorkDirectory, "fields-" + Guid.NewGuid().ToString("N"));
        Directory.CreateDirectory(folder);
        try
        {
            string ours = Path.Combine(folder, "ours.bin");
            string theirs = Path.Combine(folder, "theirs.bin");
            File.WriteAllBytes(ours, [.. Samples.SelectMany(s => s.Body)]);
            Assert.That(Run(program, $"{arguments} \"{ours}\" \"{theirs}\"", needed), Is.EqualTo(Samples.Select(s => s.Seen)));
            Assert.That(Bytes.Hex(File.ReadAllBytes(theirs)), Is.EqualTo(string.Concat(Samples.Select(s => Bytes.Hex(s.Body)))));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static string[] Run(string program, string arguments, string needed)
    {
        var start = new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, UseShellExecute = false };
        try
        {
            using Process process = Process.Start(start)!;
            string output = process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            if (process.ExitCode == MissingPackage)
            {
                Missing(needed);
            }

            Assert.That(process.ExitCode, Is.Zero);
            return output.Split(['\n'], StringSplitOptions.RemoveEmptyEntries);
        }
        catch (Win32Exception)
        {
            Missing(needed);
            return [];
        }
    }

    private static void Missing(string needed)
    {
        if (Environment.GetEnvironmentVariable("CI") == "true")
        {
            Assert.Fail("Needs " + needed);
        }

        Assert.Ignore("Needs " + needed);
    }
}
