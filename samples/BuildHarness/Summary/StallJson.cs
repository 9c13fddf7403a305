using System.Collections.Generic;
using System.Text.Json;
using Transport;

namespace BuildHarness.Summary;

/// <summary>What stood still on a worker's link: <c>nodes[].stalls</c>. What is not known is null.</summary>
internal static class StallJson
{
    public static void Write(Utf8JsonWriter json, IReadOnlyList<StallReport> stalls)
    {
        json.WriteStartArray("stalls");
        foreach (StallReport stall in stalls)
        {
            json.WriteStartObject();

            // Whose fault it is, as seen from the main node.
            json.WriteString("kind",
                stall.Kind switch
                {
                    StallKind.Handler => "handler", StallKind.Loop => "loop", StallKind.Connecting => "connecting", _ => "worker",
                });
            json.WriteString("since", stall.Since);
            json.WriteNumber("ms", (long)stall.Duration.TotalMilliseconds);
            json.WriteBoolean("over", stall.IsOver);
            json.WriteBoolean("endedWithLink", stall.LinkEnded);
            json.WriteString("packet", stall.Packet);
            json.WriteString("waitsFor", stall.WaitsFor);
            json.WriteNumber("queuedBytes", stall.QueuedBytes);
            ExitReportJson.Number(json, "workerQueuedBytes", stall.PeerQueuedBytes);
            json.WriteNumber("unacknowledged", stall.Unacknowledged);
            json.WriteString("text", stall.ToString());
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }
}
