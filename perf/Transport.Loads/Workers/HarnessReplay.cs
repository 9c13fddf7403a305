using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text.Json;
using Transport.Loads.Measuring;
using Transport.Loads.Scratch;

namespace Transport.Loads.Workers;

/// <summary>One run of <c>buildharness replay</c> with one worker.</summary>
/// <param name="Events">Events that arrived; the harness has compared every field of each with the file.</param>
/// <param name="Bytes">Bytes of all frames in the worker's direction.</param>
/// <param name="Seconds">What the harness took from its first to its last line.</param>
/// <param name="CpuMicros">CPU of the main node and its worker, with the start of both and the reading of the file by both.</param>
internal sealed record HarnessReplay(long Events, long Bytes, double Seconds, double CpuMicros)
{
    private static string Program => Repository.Output("samples/BuildHarness", "net10.0", "buildharness.dll");

    /// <summary>Returns why nothing can be replayed here; null: it can.</summary>
    public static string? Missing => File.Exists(Program) ? null : "samples/BuildHarness is not built";

    /// <summary>Replays a file.</summary>
    /// <param name="file">The binary log.</param>
    /// <param name="useTables">Whether what comes again is referred to.</param>
    /// <exception cref="LoadException">What arrived was not equal to the file.</exception>
    public static HarnessReplay Run(string file, bool useTables)
    {
        string summary = ScratchPath.New("summary");
        try
        {
            string[] words = ["replay", file, "--nodes", "1", "--summary", summary, .. useTables ? (string[])[] : ["--no-tables"]];
            double before = CpuTime.OfChildren();
            string output = Start(out int code, words);
            double cpu = CpuTime.OfChildren() - before;
            if (code != 0)
            {
                throw new LoadException($"buildharness {string.Join(' ', words)} ended with {code}: {output.Trim()}");
            }

            using var json = JsonDocument.Parse(File.ReadAllText(summary));
            JsonElement node = json.RootElement.GetProperty("nodes")[0];
            return new HarnessReplay(
                node.GetProperty("events").GetInt64(),
                node.GetProperty("bytes").GetInt64(),
                json.RootElement.GetProperty("wallMs").GetDouble() / 1000,
                cpu);
        }
        finally
        {
            File.Delete(summary);
        }
    }

    private static string Start(out int code, params string[] words)
    {
        var start = new ProcessStartInfo(Repository.OnPath("dotnet") ?? "dotnet", [Program, .. words])
        {
            UseShellExecute = false, RedirectStandardOutput = true, RedirectStandardError = true,
        };
        using Process harness = Process.Start(start)!;
        string error = string.Empty;
        harness.ErrorDataReceived += (_, line) => error += line.Data + "\n";
        harness.BeginErrorReadLine();
        string output = harness.StandardOutput.ReadToEnd();
        harness.WaitForExit();
        code = harness.ExitCode;
        return output + error.Trim();
    }
}
