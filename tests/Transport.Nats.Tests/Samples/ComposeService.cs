using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Nats.Tests.Samples;

/// <summary>A service of samples/Farm/compose.yaml: what it runs, with what environment.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Command">The words of its command.</param>
/// <param name="Environment">Its environment.</param>
internal sealed record ComposeService(string Name, string[] Command, IReadOnlyDictionary<string, string> Environment)
{
    /// <summary>Reads the file's services; it is written so that lists and maps are JSON too.</summary>
    public static IReadOnlyList<ComposeService> ReadAll()
    {
        List<ComposeService> all = [];
        string? name = null;
        string[] command = [];
        Dictionary<string, string> environment = [];
        foreach (string line in File.ReadAllLines(Path.Combine(Repository.Root, "samples", "Farm", "compose.yaml")).Append("end:"))
        {
            bool isService = line.StartsWith("  ", StringComparison.Ordinal) && line[2] != ' ';
            if (isService || !line.StartsWith(' '))
            {
                if (name is not null)
                {
                    all.Add(new ComposeService(name, command, environment));
                }

                (name, command, environment) = (isService ? line.Trim().TrimEnd(':') : null, [], []);
            }
            else if (line.Trim().Split(": ", 2) is ["command", var words])
            {
                command = JsonSerializer.Deserialize<string[]>(words)!;
            }
            else if (line.Trim().Split(": ", 2) is ["environment", var map])
            {
                environment = JsonSerializer.Deserialize<Dictionary<string, string>>(map)!;
            }
        }

        Assert.That(all.Select(service => service.Name), Is.EqualTo(new[] { "nats", "receiver", "agent1", "agent2", "ask" }));
        return all;
    }
}
