using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text.Json;
using Transport;

namespace BuildHarness.Summary;

/// <summary>A worker's exit report in the summary: <c>nodes[].exitReport</c>. What is not known is null.</summary>
internal static class ExitReportJson
{
    public static void Write(Utf8JsonWriter json, WorkerExit end)
    {
        json.WriteStartObject("exitReport");
        json.WriteString("node", end.Node);
        json.WriteNumber("pid", end.ProcessId);
        json.WriteString("executable", end.Executable);
        json.WriteString("cause", end.Cause);
        json.WriteString("explanation", end.Explanation);
        Number(json, "exitCode", end.Process.ExitCode);
        json.WriteString("signal", end.Process.SignalName);
        json.WriteBoolean("coreDumped", end.Process.CoreDumped);
        Truth(json, "outOfMemoryKill", end.Process.OutOfMemoryKill);
        json.WriteBoolean("killedByMainNode", end.KilledByMainNode);
        json.WriteString("killReason", end.KillReason);
        json.WriteString("linkProblem", end.LinkProblem);
        Fatal(json, end.FatalError);
        json.WriteString("project", end.CurrentActivity);
        json.WriteString("endedAt", end.EndedAt);
        Ms(json, "lifeMs", end.LifeTime);
        Ms(json, "msSinceLastPacket", end.SinceLastPacket);
        Ms(json, "msSinceLastFrame", end.SinceLastFrame);
        Link(json, end);
        json.WriteStartArray("lastPackets");
        foreach (LastPacket packet in end.LastPackets)
        {
            json.WriteStartObject();
            json.WriteNumber("type", packet.Type);
            json.WriteString("name", packet.Name);
            json.WriteString("lane", packet.Lane.ToString().ToLowerInvariant());
            json.WriteNumber("bytes", packet.Bytes);
            json.WriteString("time", end.EndedAt - packet.BeforeEnd);
            Ms(json, "msBeforeEnd", packet.BeforeEnd);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteStartArray("lastErrorLines");
        foreach (string line in end.LastErrorLines)
        {
            json.WriteStringValue(line);
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>Writes a number, or null if it is not known.</summary>
    public static void Number(Utf8JsonWriter json, string name, long? value)
    {
        if (value is { } number)
        {
            json.WriteNumber(name, number);
        }
        else
        {
            json.WriteNull(name);
        }
    }

    /// <summary>Writes what came of the tail that an exited worker left: packets that were delivered from it, packets that are lost (null
    /// if nobody knows), and what was not valid. Null if there was nothing to go on with.</summary>
    public static void Tail(Utf8JsonWriter json, long? packets, long? lost, string? problem)
    {
        if (packets is not { } delivered)
        {
            json.WriteNull("tail");
            return;
        }

        json.WriteStartObject("tail");
        json.WriteNumber("packets", delivered);
        Number(json, "lost", lost);
        json.WriteString("problem", problem);
        json.WriteEndObject();
    }

    /// <summary>The counts are the worker's packets: sent as its Goodbye said, received here, dropped as it reported.</summary>
    private static void Link(Utf8JsonWriter json, WorkerExit end)
    {
        LinkEnd? link = end.Link;
        Number(json, "sent", link?.Receipt.PeerSent);
        Number(json, "received", link?.Receipt.Received);
        Number(json, "dropped", link?.Receipt.PeerDropped);
        Number(json, "refused", link?.Receipt.PeerRefused);
        Number(json, "unhandled", link?.Receipt.Unhandled);
        json.WriteStartObject("unhandledByType");
        foreach (KeyValuePair<string, long> one in end.UnhandledByType)
        {
            json.WriteNumber(one.Key, one.Value);
        }

        json.WriteEndObject();
        Tail(json, link?.Receipt.TailPackets, link?.Receipt.TailLost, link?.Receipt.TailProblem);
        if (link is null)
        {
            json.WriteNull("link");
            return;
        }

        json.WriteStartObject("link");
        json.WriteString("fault", link.Fault.ToString());
        json.WriteString("reason", link.Reason);
        json.WriteEndObject();
    }

    private static void Fatal(Utf8JsonWriter json, FatalError? fatal)
    {
        if (fatal is null)
        {
            json.WriteNull("fatalError");
            return;
        }

        json.WriteStartObject("fatalError");
        json.WriteString("kind", JsonNamingPolicy.CamelCase.ConvertName(fatal.Kind.ToString()));
        json.WriteString("message", fatal.Message);
        json.WriteEndObject();
    }

    /// <summary>Writes a truth, or null if it is not known.</summary>
    public static void Truth(Utf8JsonWriter json, string name, bool? value)
    {
        if (value is { } known)
        {
            json.WriteBoolean(name, known);
        }
        else
        {
            json.WriteNull(name);
        }
    }

    private static void Ms(Utf8JsonWriter json, string name, TimeSpan? span) =>
        Number(json, name, span is { } known ? (long)known.TotalMilliseconds : null);
}
