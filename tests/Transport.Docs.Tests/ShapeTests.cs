using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Docs.Tests;

/// <summary>README and guides are read, not studied: short cells, short lines, and not too many words in all.</summary>
internal sealed class ShapeTests
{
    private const int MostCellWords = 25, MostLine = 200;

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    /// <summary>What is for several machines, and may be left unread by who has one.</summary>
    private static readonly string[] OfTheFarm =
        ["docs/guide/farm.md", "docs/reference/block-format.md", "docs/reference/work-format.md", "docs/design/scale.md"];

    private static IEnumerable<string> ForUsers => Directory
        .EnumerateFiles(Path.Combine(Repository.Root, "docs", "guide"), "*.md").Append(Path.Combine(Repository.Root, "README.md"))
        .Select(file => Path.GetRelativePath(Repository.Root, file));

    [TestCaseSource(nameof(ForUsers))]
    public void Cells_and_lines_are_short(string page)
    {
        string[] lines = new Page(page).Prose.Split('\n');
        IEnumerable<string> cells = lines.Where(line => line.StartsWith('|'))
            .SelectMany(line => Regex.Split(line, @"(?<!\\)\|", RegexOptions.None, s_patience))
            .Where(cell => Words(Regex.Replace(cell, @"\]\([^)]*\)", "]", RegexOptions.None, s_patience)) > MostCellWords);
        IEnumerable<string> wide = lines.Where(line => line.Length > MostLine && !line.StartsWith('|')
            && !line.StartsWith("    ", StringComparison.Ordinal));
        Assert.That(cells.Concat(wide), Is.Empty);
    }

    [Test]
    public void The_pages_of_results_have_at_most_10_000_words() => Assert.That(
        Directory.EnumerateFiles(Path.Combine(Repository.Root, "perf", "results"), "*.md").Sum(page => Words(File.ReadAllText(page))),
        Is.LessThanOrEqualTo(10_000));

    [Test]
    public void The_documents_have_at_most_35_000_words_beside_their_programs_and_those_of_the_farm_2_700()
    {
        Assert.That(
            Directory.EnumerateFiles(Path.Combine(Repository.Root, "docs"), "*.md", SearchOption.AllDirectories)
                .Select(file => Path.GetRelativePath(Repository.Root, file))
                .Concat(["README.md", "ARCHITECTURE.md", "PROTOCOL.md", "CONTRIBUTING.md"])
                .Except(OfTheFarm, StringComparer.Ordinal)
                .Sum(page => Words(new Page(page).Prose)),
            Is.LessThanOrEqualTo(35_000));
        Assert.That(OfTheFarm.Sum(page => Words(new Page(page).Prose)), Is.LessThanOrEqualTo(2_700));
    }

    private static int Words(string text) => text.Split([' ', '\n', '\r', '\t'], StringSplitOptions.RemoveEmptyEntries).Length;
}
