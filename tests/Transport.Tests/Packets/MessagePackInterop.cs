using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics;
using System.IO;
using System.Linq;
using NUnit.Framework;

namespace Transport.Tests.Packets;

/// <summary>Other implementations decode what we encode, say what they saw, and encode it again for us to decode.</summary>
public sealed class MessagePackInterop
{
    private const int MissingPackage = 3;

    private static string Modules =>
        Environment.GetEnvironmentVariable("TRANSPORT_NODE_MODULES") is { Length: > 0 } set
            ? set
            : Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".cache", "transport-node", "node_modules");

    [Test]
    public void Python_msgpack_sees_the_same_values_and_bytes() =>
        BothWays(Values(_ => true), "/usr/bin/python3", SourceTree.Find("interop/check.py"),
            "python3-msgpack (Debian: apt-get install python3-msgpack)");

    [Test]
    public void Node_msgpack_sees_the_same_values_and_bytes() =>
        BothWays(
            Values(value => value is not -0.0 && value is not List<KeyValuePair<object, object?>> { Count: 2 }),
            "node",
            $"\"{SourceTree.Find("interop/check.mjs")}\" \"{Modules}\"",
            $"node with @msgpack/msgpack in {Modules} (npm install --prefix DIR @msgpack/msgpack, "
                + "TRANSPORT_NODE_MODULES=DIR/node_modules)");

    /// <summary>The samples at the limits and 300 values at random.</summary>
    private static List<object?> Values(Func<object?, bool> sayable)
    {
        int seed = Environment.TickCount;
        TestContext.Out.WriteLine($"seed {seed}");
        var random = new Random(seed);
        return [.. TreeSamples.All.Where(sayable), .. Enumerable.Range(0, 300).Select(_ => Tree.Random(random, depth: 3))];
    }

    private static void BothWays(List<object?> values, string program, string arguments, string needed)
    {
        string folder = Path.Combine(TestContext.CurrentContext.WorkDirectory, "interop-" + Guid.NewGuid().ToString("N"));
        Directory.CreateDirectory(folder);
        try
        {
            string ours = Path.Combine(folder, "ours.bin");
            string theirs = Path.Combine(folder, "theirs.bin");
            byte[] encoded = Packed.By((ref PacketWriter w) =>
            {
                foreach (object? value in values)
                {
                    Tree.Write(ref w, value);
                }
            });
            File.WriteAllBytes(ours, encoded);
            string[] lines = Run(program, $"{arguments} \"{ours}\" \"{theirs}\"", needed);
            string[] expected = values.Select(Tree.Describe).ToArray();
            Assert.That(lines, Is.EqualTo(expected), "what they decoded of ours");

            byte[] again = File.ReadAllBytes(theirs);
            var decoded = new List<string>();
            var reader = new PacketReader(again);
            while (!reader.AtEnd)
            {
                decoded.Add(Tree.Describe(Tree.Read(ref reader)));
            }

            Assert.That(decoded, Is.EqualTo(expected), "what we decoded of theirs");
            Assert.That(again.SequenceEqual(encoded), Is.True, "both take the shortest encodings, so the bytes are the same");
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static string[] Run(string program, string arguments, string needed)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardOutput = true, RedirectStandardError = true, UseShellExecute = false,
        };
        try
        {
            using Process process = Process.Start(start)!;
            var errors = new System.Text.StringBuilder();
            process.ErrorDataReceived += (_, line) => errors.AppendLine(line.Data);
            process.BeginErrorReadLine();
            string output = process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            if (process.ExitCode == MissingPackage)
            {
                Missing(needed);
            }

            Assert.That(process.ExitCode, Is.Zero, errors.ToString());
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
            Assert.Fail("CI needs " + needed);
        }

        Assert.Ignore("Needs " + needed);
    }
}
