using System.Linq;
using System.Text.Json;

namespace BuildHarness.Summary;

/// <summary>The collection in the summary: <c>collected</c>. What is not known is null.</summary>
internal static class CollectionJson
{
    public static void Write(Utf8JsonWriter json, CollectionSummary collected)
    {
        json.WriteStartObject("collected");
        json.WriteString("directory", collected.Directory);
        json.WriteBoolean("published", collected.Failure is null);
        json.WriteString("failure", collected.Failure);
        json.WriteNumber("files", collected.Projects.Sum(p => p.Files));
        json.WriteNumber("bytes", collected.Projects.Sum(p => p.Bytes));
        json.WriteStartArray("projects");
        foreach (CollectedFolder project in collected.Projects)
        {
            json.WriteStartObject();
            json.WriteString("path", project.Path);
            json.WriteString("framework", project.Framework);
            json.WriteString("folder", project.Folder);
            json.WriteNumber("files", project.Files);
            json.WriteNumber("bytes", project.Bytes);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }
}
