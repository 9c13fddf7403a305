using System.Text.Json;
using System.Text.Json.Nodes;
using Transport.Terminal;

namespace BuildHarness.Summary;

/// <summary>What became of an agent of the farm that had a part in the build.</summary>
internal sealed record AgentSummary
{
    /// <summary>Gets its name.</summary>
    public required string Name { get; init; }

    /// <summary>Gets how many projects it was the last to build.</summary>
    public int Projects { get; init; }

    /// <summary>Gets how many events of its workers have come home.</summary>
    public long Events { get; init; }

    /// <summary>Gets whether these are all; null: it has not said how many there were.</summary>
    public bool? AllEvents { get; init; }

    /// <summary>Gets why it is not known how its workers ended, or null.</summary>
    public string? Problem { get; init; }

    /// <summary>Gets its workers as it has reported them; empty if it has not.</summary>
    public JsonArray Nodes { get; init; } = [];

    /// <summary>Gets it as a line for people.</summary>
    public string Line => $"  {Name}: {Counted.Of(Projects, "project")}, {Counted.Of(Events, "event")}"
        + (Problem is null ? string.Empty : $"; {Problem}");

    /// <summary>Writes its workers, beside those of this machine.</summary>
    public void WriteNodes(Utf8JsonWriter json)
    {
        foreach (JsonNode? node in Nodes)
        {
            node?.WriteTo(json);
        }
    }

    /// <summary>Writes the agent itself.</summary>
    public void Write(Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteString("name", Name);
        json.WriteNumber("projects", Projects);
        json.WriteNumber("events", Events);
        ExitReportJson.Truth(json, "allEvents", AllEvents);
        json.WriteString("problem", Problem);
        json.WriteEndObject();
    }
}
