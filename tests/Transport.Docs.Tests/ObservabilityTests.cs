using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Docs.Tests;

/// <summary>docs/reference/observability.md lists what the sources have: instruments with their units, events with their levels.</summary>
public sealed class ObservabilityTests
{
    private static readonly string Text = File.ReadAllText(Path.Combine(Repository.Root, "docs", "reference", "observability.md"));

    [Test]
    public void Every_instrument_is_listed_with_its_unit_and_no_other()
    {
        const string Made = "\"(?<name>transport\\.[a-z.]+)\",((?!\"transport)[^;])*?\"(?<unit>s|By|\\{[a-z]+\\})\"";
        const string MadeOfSeconds = "(?<unit>S)econds\\(\\s*\"(?<name>transport\\.[a-z.]+)\"";
        string[] made = [.. Sources("*Meter.cs").SelectMany(text => Matches(text, Made).Concat(Matches(text, MadeOfSeconds)))
            .Select(match => $"{match["name"]} {match["unit"].Replace('S', 's')}").Distinct().Order()];
        string[] listed = [.. Matches(Text, "^\\| `(?<name>transport\\.[a-z.]+)` \\| (?<unit>[^ ]+) \\|")
            .Select(match => $"{match["name"]} {match["unit"]}").Order()];
        Assert.That(made, Has.Length.GreaterThan(10));
        Assert.That(listed, Is.EqualTo(made));
    }

    [Test]
    public void Every_event_is_listed_with_its_number_and_level_and_no_other()
    {
        const string Made = "\\[Event\\((?<id>[0-9]+), Level = EventLevel\\.(?<level>\\w+)[^\\[]*?public void (?<name>\\w+)\\(";
        string[] made = [.. Sources("*EventSource.cs").SelectMany(text => Matches(text, Made).Select(match =>
            $"{Matches(text, "Name = \"(?<source>[^\"]+)\"").First()["source"]} {match["id"]} {match["name"]} {match["level"]}")).Order()];
        string[] listed = [.. Matches(Text, "^\\| (?<source>Transport-\\w+) \\| (?<id>[0-9]+) \\| (?<name>\\w+) \\| (?<level>\\w+) \\|")
            .Select(match => $"{match["source"]} {match["id"]} {match["name"]} {match["level"]}").Order()];
        Assert.That(made, Has.Length.GreaterThan(15));
        Assert.That(listed, Is.EqualTo(made));
    }

    private static IEnumerable<string> Sources(string pattern) => Directory
        .EnumerateFiles(Path.Combine(Repository.Root, "src"), pattern, SearchOption.AllDirectories)
        .Where(file => !file.Contains("/obj/", StringComparison.Ordinal))
        .Select(File.ReadAllText);

    private static IEnumerable<Dictionary<string, string>> Matches(string text, string pattern) => Regex
        .Matches(text, pattern, RegexOptions.Multiline | RegexOptions.ExplicitCapture, TimeSpan.FromSeconds(10))
        .Select(match => match.Groups.Values.ToDictionary(group => group.Name, group => group.Value));
}
