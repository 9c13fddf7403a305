using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;
using NUnit.Framework;

namespace Transport.Tests.Architecture;

/// <summary>The shape of the source tree: rooms look down only, files stay small, platforms differ in few places.</summary>
internal sealed class RoomsTests
{
    /// <summary>The rooms of src/Transport, from the ground up: each names only those before it.</summary>
    private static readonly string[] Rooms =
        ["Diagnostics", "Buffers", "Packets", "Wires", "Sending", "Receiving", "Session", "Links", "Nodes"];

    /// <summary>Files that may tell platforms apart at compile time. Everything else is one source for all of them.</summary>
    private static readonly string[] MayTellPlatformsApart = ["SocketReader", "NetStandard", "Packets/Utf8.cs"];

    [Test]
    public void A_room_names_only_rooms_below_it()
    {
        var wrong = new List<string>();
        foreach ((string name, string[] lines) in Sources.In("src").Where(f => f.Name.StartsWith("src/Transport/", StringComparison.Ordinal)))
        {
            string[] path = name.Split('/');
            int room = path.Length == 3 ? -1 : Array.IndexOf(Rooms, path[2]);
            Assert.That(path.Length == 3 || room >= 0, Is.True, $"{name}: a room that the list does not have");
            foreach (string line in lines.Where(l => !l.TrimStart().StartsWith("//", StringComparison.Ordinal)))
            {
                foreach (Match match in Regex.Matches(line, @"\bTransport\.(?<room>[A-Z]\w+)", RegexOptions.ExplicitCapture, TimeSpan.FromSeconds(5)))
                {
                    int named = Array.IndexOf(Rooms, match.Groups["room"].Value);
                    if (named > room || (room < 0 && named >= 0))
                    {
                        wrong.Add($"{name}: {line.Trim()}");
                    }
                }
            }
        }

        Assert.That(wrong, Is.Empty);
    }

    [Test]
    public void Folder_is_namespace()
    {
        var wrong = new List<string>();
        foreach ((string name, string[] lines) in Sources.In("src", "tests", "samples").Where(f => !f.Name.Contains("Example")))
        {
            string[] path = name.Split('/');
            string? space = lines.FirstOrDefault(l => l.StartsWith("namespace ", StringComparison.Ordinal))?.Substring(10).TrimEnd(';', ' ');
            string folders = string.Join(".", path.Skip(2).Take(path.Length - 3));
            if (space is not null && folders.Length > 0 && !("." + space).EndsWith("." + folders, StringComparison.Ordinal))
            {
                wrong.Add($"{name}: {space}");
            }
        }

        Assert.That(wrong, Is.Empty);
    }

    [Test]
    public void Files_are_small()
    {
        (string Name, string[] Lines)[] files = [.. Sources.In("src", "tests", "samples")];
        int[] lengths = [.. files.Select(f => f.Lines.Length).OrderBy(n => n)];
        Assert.That(files.Where(f => f.Lines.Length > 500).Select(f => $"{f.Name}: {f.Lines.Length}"), Is.Empty, "lines, at most 500");
        Assert.That(lengths[lengths.Length / 2], Is.LessThan(120), "the median");
    }

    [Test]
    public void No_regions() =>
        Assert.That(Sources.In().Where(f => f.Lines.Any(l => l.TrimStart().StartsWith("#region", StringComparison.Ordinal))).Select(f => f.Name), Is.Empty);

    [Test]
    public void Few_files_tell_platforms_apart()
    {
        IEnumerable<string> files = Sources.In("src").Where(f => f.Lines.Any(l => l.TrimStart().StartsWith("#if", StringComparison.Ordinal))).Select(f => f.Name);
        Assert.That(files.Where(f => !MayTellPlatformsApart.Any(f.Contains)), Is.Empty, "a new #if needs a place in this list, and a reason");
    }

    [Test]
    public void No_test_is_switched_off() =>
        Assert.That(Sources.In("tests").Where(f => f.Lines.Any(l => Regex.IsMatch(l, @"^\s*\[Ignore\(", RegexOptions.None, TimeSpan.FromSeconds(5)))).Select(f => f.Name), Is.Empty);
}
