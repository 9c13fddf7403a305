using System;
using System.Diagnostics;
using System.IO;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Transport.Testing;

namespace BuildHarness.Tests.Processes;

/// <summary>Ctrl+C while nobody reads what the harness writes.</summary>
[TestFixture]
[Platform(Include = "Linux")]
internal sealed class UnreadTests
{
    private const string Flood = "<Project><Target Name=\"Build\"><Exec Command=\"seq 1000000\" /></Target></Project>";

    [TestCase("INT", 130, "run --summary S -- seq 1000000")]
    [TestCase("TERM", 143, "run --summary S -- sh -c 'trap \"\" INT TERM; while :; do echo x; done'")]
    [TestCase("INT", 130, "build P --no-restore -v diag --nodes 1 --summary S")]
    public async Task A_signal_ends_within_5_s_what_nobody_reads(string signal, int exitCode, string words)
    {
        using var folder = new TemporaryFolder();
        JsonElement summary = await EndAsync(folder, signal, exitCode, words, thread: "stdout", wait: "pipe");
        Assert.That(summary.GetProperty("nodes").GetArrayLength(), Is.EqualTo(1), "it was not the last resort that wrote it");
    }

    [Test]
    public async Task A_signal_ends_within_5_s_what_hangs_anywhere_else()
    {
        using var folder = new TemporaryFolder();
        string log = Path.Combine(folder.Path, "log");
        using (Process make = Process.Start("mkfifo", log))
        {
            await make.WaitForExitAsync();
        }

        // A log that is a pipe without a reader cannot even be opened.
        await EndAsync(folder, "INT", exitCode: 130, $"build P --log {log} --summary S", thread: "dotnet", wait: "wait_for_partner");
    }

    /// <summary>Starts it, waits until a thread hangs, sends a signal.</summary>
    /// <returns>The summary.</returns>
    private static async Task<JsonElement> EndAsync(
        TemporaryFolder folder, string signal, int exitCode, string words, string thread, string wait)
    {
        string summary = Path.Combine(folder.Path, "summary.json");
        string line = words.Replace(" P ", $" {folder.File("P.proj", Flood)} ", StringComparison.Ordinal);
        line = (line + " ").Replace(" S ", $" {summary} ", StringComparison.Ordinal);
        string harness = Path.Combine(TestContext.CurrentContext.TestDirectory, "buildharness.dll");
        var start = new ProcessStartInfo(
            "/bin/sh", ["-c", $"exec /usr/bin/env --default-signal=INT,TERM {Harness.DotNet} {harness} {line}"]) { RedirectStandardOutput =
            true, UseShellExecute = false };
        using Process process = Process.Start(start)!;
        try
        {
            await Wait.UntilAsync(() => process.HasExited || Hangs(process.Id, thread, wait), $"{thread} hangs in {wait}");
            Assert.That(process.HasExited, Is.False);
            long begun = Environment.TickCount64;
            Harness.Kill(process.Id, signal);
            using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(90));
            await process.WaitForExitAsync(patience.Token);
            Assert.That(Environment.TickCount64 - begun, Is.LessThan(Harness.MostEndMs), "ms until the end");
        }
        finally
        {
            process.Kill(entireProcessTree: true);
        }

        Assert.That(process.ExitCode, Is.EqualTo(exitCode));
        using var read = JsonDocument.Parse(File.ReadAllText(summary));
        Assert.That(read.RootElement.GetProperty("result").GetString(), Is.EqualTo("failed"));
        return read.RootElement.Clone();
    }

    private static bool Hangs(int pid, string thread, string wait)
    {
        foreach (string task in Directory.GetDirectories($"/proc/{pid}/task"))
        {
            try
            {
                if (File.ReadAllText(task + "/comm").Trim() == thread
                    && File.ReadAllText(task + "/wchan").Contains(wait, StringComparison.Ordinal))
                {
                    return true;
                }
            }
            catch (IOException)
            {
                // It has just ended.
            }
        }

        return false;
    }
}
