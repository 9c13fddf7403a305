using System.Collections.Generic;
using System.Text;

namespace Transport.MSBuild;

/// <summary>What goes into a task or comes out of it, as text: one item a line, its metadata below it.</summary>
internal static class TaskParameterText
{
    /// <summary>MSBuild's TaskParameterMessageKind, in its order.</summary>
    private static readonly string[] Kinds =
        ["Task parameter", "Output", "Added items", "Removed items", "Skipped target inputs", "Skipped target outputs"];

    public static string Of(BuildEvent one)
    {
        int kind = one.Number("Kind");
        var text = new StringBuilder();
        text.Append((uint)kind < (uint)Kinds.Length ? Kinds[kind] : "Items").Append(' ')
            .Append(one.Text("ItemType") ?? one.Text("ParameterName")).Append(" =");
        IReadOnlyList<object?> items = one.List("Items");
        foreach (object? item in items)
        {
            if (item is not object?[] { Length: >= 3 } parts)
            {
                continue;
            }

            text.Append(items.Count == 1 ? " " : "\n    ").Append(parts[1] as string);
            if (parts[2] is not BuildEventMap metadata)
            {
                continue;
            }

            foreach (KeyValuePair<string, string?> entry in metadata.Entries)
            {
                text.Append("\n        ").Append(entry.Key).Append(" = ").Append(entry.Value);
            }
        }

        return text.ToString();
    }
}
