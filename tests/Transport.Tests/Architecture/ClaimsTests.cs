using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using NUnit.Framework;

namespace Transport.Tests.Architecture;

/// <summary>What documents claim that a script runs is what it runs, and every page is linked from another.</summary>
internal sealed class ClaimsTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private static readonly string[] Pages =
    [
        .. Directory.GetFiles(Sources.Root, "*.md"),
        .. Directory.GetFiles(Path.Combine(Sources.Root, "docs"), "*.md", SearchOption.AllDirectories),
    ];

    [Test]
    public void The_numbers_of_inputs_connections_and_kills_are_those_of_the_script()
    {
        string script = File.ReadAllText(Path.Combine(Sources.Root, ".ci", "run"));
        Match[] sizes = [.. Regex.Matches(
            script, @"(?:--inputs|--connections|kills) ""\$\(size (?<night>\d+) (?<quick>\d+)\)""", RegexOptions.ExplicitCapture, Patience)
            .Cast<Match>()];
        Assert.That(sizes, Has.Length.GreaterThanOrEqualTo(4));
        Assert.That(Wrong("run", "quick"), Is.Empty);
        Assert.That(Wrong("nightly", "night"), Is.Empty);

        IEnumerable<string> Wrong(string name, string group)
        {
            HashSet<string> known = [.. sizes.Select(size => size.Groups[group].Value)];
            return Pages.SelectMany(page => Regex.Matches(File.ReadAllText(page),
                @"(?<number>[\d,]*\d)(?: inputs| of them| connections| kills)? in `\.ci/" + name + "`", RegexOptions.ExplicitCapture,
                Patience)
                .Cast<Match>().Where(claim => !known.Contains(claim.Groups["number"].Value.Replace(",", string.Empty)))
                .Select(claim => $"{Path.GetFileName(page)}: {claim.Value}"));
        }
    }

    [Test]
    public void Every_page_is_linked_from_another()
    {
        string[] unlinked = [.. Pages.Where(page => Path.GetDirectoryName(page) != Sources.Root).Where(page => !Pages.Any(other =>
            other != page && File.ReadAllText(other).Contains(Path.GetFileName(page))))];
        Assert.That(unlinked, Is.Empty);
    }
}
