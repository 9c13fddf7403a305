using System.Text.Json;

namespace BuildHarness.Summary;

/// <summary>The journal in the summary: <c>journal</c>. What is not known is null.</summary>
internal static class JournalJson
{
    public static void Write(Utf8JsonWriter json, JournalSummary journal)
    {
        json.WriteStartObject("journal");
        json.WriteString("directory", journal.Directory);
        json.WriteString("id", journal.Id?.ToString());
        json.WriteString("sync", journal.Sync switch
        {
            Transport.Journal.JournalSync.Always => "always",
            Transport.Journal.JournalSync.GroupCommit => "group",
            Transport.Journal.JournalSync.EverySecond => "everysec",
            _ => "no",
        });
        json.WriteString("backEnd", journal.BackEnd);
        json.WriteString("repaired", journal.Repaired);
        json.WriteNumber("packets", journal.Packets);
        ExitReportJson.Number(json, "firstPosition", journal.FirstPosition);
        ExitReportJson.Number(json, "lastPosition", journal.LastPosition);
        if (journal.Failure is not { } failure)
        {
            json.WriteNull("failure");
        }
        else
        {
            json.WriteStartObject("failure");
            json.WriteString("fault", failure.Fault.ToString());
            json.WriteString("message", failure.Message);
            json.WriteNumber("fromPacket", failure.FromPacket);
            ExitReportJson.Number(json, "fromPosition", failure.FromPosition);
            json.WriteEndObject();
        }

        json.WriteEndObject();
    }
}
