using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using NUnit.Framework;

namespace Transport.Rules;

/// <summary>The field's own words, in code, messages and documents: words.txt lists those to avoid, each with what to write.</summary>
internal sealed class WordTests
{
    private static readonly string[] Folders = ["src", "tests", "samples", "perf", "docs", "templates"];
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    [Test]
    public void No_text_has_a_word_of_the_list()
    {
        (string Word, string Instead)[] words = [.. List()];
        var pattern = new Regex(
            $"(?<![A-Za-z])(?i:{string.Join('|', words.Select(w => w.Word))})(?![A-Za-z])"
                + $"|(?<=[a-z_])(?:{string.Join('|', words.Select(w => char.ToUpperInvariant(w.Word[0]) + w.Word[1..]))})(?![a-z])",
            RegexOptions.ExplicitCapture,
            Limit);
        IEnumerable<KeyValuePair<string, int>> found =
            from file in Repository.Files("*.cs", Folders).Concat(Repository.Files("*.md", Folders))
                .Concat(Directory.GetFiles(Repository.Root, "*.md").Select(path => Path.GetFileName(path)))
            from line in File.ReadLines(Path.Combine(Repository.Root, file))
            from Match match in pattern.Matches(line)
            select KeyValuePair.Create($"{file}: {match.Value}", 1);
        Departures.MustBeNone(found, "Write: " + string.Join("; ", words.Select(w => $"{w.Instead} for {w.Word}")));
    }

    [Test]
    public void A_message_says_what_it_got()
    {
        var came = new Regex("expected [^.\"]{1,80}, [^.\"]{0,60}\\bcame\\b", RegexOptions.IgnoreCase, Limit);
        Assert.That(
            Repository.Files("*.cs", Folders).Where(file => came.IsMatch(Repository.Text(file))),
            Is.Empty,
            "Write: expected X, got Y");
    }

    private static IEnumerable<(string Word, string Instead)> List() =>
        from line in File.ReadLines(Path.Combine(Repository.Root, "tests", "Transport.Rules", "words.txt"))
        let parts = line.Split('\t')
        from word in parts[0].Split(' ')
        select (word, parts[1]);
}
