using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Transport;

namespace BuildHarness.Summary;

/// <summary>Writes the summary: first beside its place, then under its name in one step, so that nobody ever reads half of one.</summary>
internal static class SummaryFile
{
    private const string Option = "--summary";

    /// <summary>Tries the place, so that a mistake is reported before anything is done and not after.</summary>
    /// <param name="path">Where the summary will go, or null.</param>
    /// <param name="exitCode">What a fault here means for the process.</param>
    /// <exception cref="HarnessException">It is a folder, or nothing can be written there.</exception>
    public static void Check(string? path, int exitCode = ExitCodes.HarnessFault)
    {
        if (path is null)
        {
            return;
        }

        string full = Path.GetFullPath(path);
        if (Directory.Exists(full))
        {
            throw new HarnessException(WriteFault.Of(Option, path, new UnauthorizedAccessException()), exitCode);
        }

        if (File.Exists(full) && !IsOrdinary(full))
        {
            return;
        }

        string beside = Beside(full);
        try
        {
            new FileStream(beside, FileMode.CreateNew, FileAccess.Write).Dispose();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new HarnessException(WriteFault.Of(Option, path, e), exitCode);
        }

        TryDelete(beside);
    }

    /// <exception cref="HarnessException">It cannot be written.</exception>
    public static void Write(string path, RunSummary summary)
    {
        string full = Path.GetFullPath(path);
        string beside = Beside(full);
        try
        {
            if (File.Exists(full) && !IsOrdinary(full))
            {
                // A device or pipe has no name to be put under.
                using FileStream device = new(full, FileMode.Open, FileAccess.Write);
                Write(device, summary);
                return;
            }

            using (FileStream file = new(beside, FileMode.CreateNew, FileAccess.Write))
            {
                Write(file, summary);
            }

            File.Move(beside, full, overwrite: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            TryDelete(beside);
            throw new HarnessException(WriteFault.Of(Option, path, e));
        }
    }

    /// <summary>Returns nodes as the array that the summary has of them.</summary>
    public static string Nodes(IEnumerable<NodeSummary> nodes)
    {
        using var bytes = new MemoryStream();
        using (var json = new Utf8JsonWriter(bytes))
        {
            json.WriteStartArray();
            foreach (NodeSummary node in nodes)
            {
                Write(json, node);
            }

            json.WriteEndArray();
        }

        return Encoding.UTF8.GetString(bytes.GetBuffer(), 0, (int)bytes.Length);
    }

    public static void Write(Stream output, RunSummary summary)
    {
        using var json = new Utf8JsonWriter(output, new JsonWriterOptions
        {
            Indented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        });
        json.WriteStartObject();
        json.WriteString("result", summary.Succeeded ? "succeeded" : "failed");
        json.WriteNumber("wallMs", summary.WallMs);
        json.WriteStartArray("projects");
        foreach (ProjectSummary project in summary.Projects)
        {
            json.WriteStartObject();
            json.WriteString("path", project.Path);
            json.WriteString("framework", project.Framework);
            // Readers know three words; what was begun and not finished has failed.
            json.WriteString("result", project.Result == "stopped" ? "failed" : project.Result);
            json.WriteString("node", project.Node);
            json.WriteNumber("attempts", project.Attempts);
            json.WriteNumber("ms", project.Ms);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteStartArray("nodes");
        foreach (NodeSummary node in summary.Nodes)
        {
            Write(json, node);
        }

        foreach (AgentSummary agent in summary.Agents)
        {
            agent.WriteNodes(json);
        }

        json.WriteEndArray();
        if (summary.Agents.Count > 0)
        {
            json.WriteStartArray("agents");
            foreach (AgentSummary agent in summary.Agents)
            {
                agent.Write(json);
            }

            json.WriteEndArray();
        }

        json.WriteNumber("refused", summary.Refused);
        json.WriteNumber("errors", summary.Errors);
        json.WriteNumber("warnings", summary.Warnings);
        if (summary.ExpectedHash is { } expected)
        {
            json.WriteString("expectedHash", expected);
        }

        if (summary.Collected is { } collected)
        {
            CollectionJson.Write(json, collected);
        }

        if (summary.Journal is { } journal)
        {
            JournalJson.Write(json, journal);
        }

        json.WriteEndObject();
    }

    /// <summary>Writes what a worker dropped by level, if it dropped anything.</summary>
    internal static void WriteDropped(Utf8JsonWriter json, IReadOnlyDictionary<PacketLevel, long> byLevel)
    {
        if (byLevel.Count > 0)
        {
            json.WriteStartObject("droppedByLevel");
            foreach ((PacketLevel level, long packets) in byLevel)
            {
                json.WriteNumber(level.ToString(), packets);
            }

            json.WriteEndObject();
        }
    }

    private static void Write(Utf8JsonWriter json, NodeSummary node)
    {
        json.WriteStartObject();
        json.WriteString("id", node.Id);
        json.WriteString("name", node.Name);
        json.WriteNumber("pid", node.Pid);
        ExitReportJson.Number(json, "sent", node.Sent);
        json.WriteNumber("received", node.Received);
        json.WriteNumber("acknowledged", node.Acknowledged);
        json.WriteNumber("dropped", node.Dropped);
        WriteDropped(json, node.DroppedByLevel);
        json.WriteNumber("bytes", node.Bytes);
        json.WriteNumber("events", node.Events);
        json.WriteNumber("leftOut", node.LeftOut);
        json.WriteString("end", node.End);
        json.WriteStartArray("lastWords");
        foreach (string line in node.LastWords)
        {
            json.WriteStringValue(line);
        }

        json.WriteEndArray();
        ExitReportJson.Write(json, node.ExitReport);
        StallJson.Write(json, node.Stalls);
        if (node.Hash is { } hash)
        {
            json.WriteString("hash", hash);
        }

        json.WriteEndObject();
    }

    private static string Beside(string full) => string.Concat(full, ".", Guid.NewGuid().ToString("N").AsSpan(0, 8), ".tmp");

    private static bool IsOrdinary(string path) =>
        (File.GetAttributes(path) & (FileAttributes.Device | FileAttributes.Directory)) == 0
            && !path.StartsWith("/dev/", StringComparison.Ordinal);

    private static void TryDelete(string path)
    {
        try
        {
            File.Delete(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // It could not be made in the first place.
        }
    }
}
