using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Docs.Tests;

/// <summary>docs/reference/promises.md is made from the marks of the tests that prove them (<see cref="PromiseAttribute"/>); with
/// TRANSPORT_UPDATE_GOLDEN=1 it is written anew.</summary>
internal sealed class PromisesTests
{
    private const string Intro = """
        # Promises
        What the library guarantees. Each promise links to the test that proves it: the page is generated from the tests marked `[Promise]`.
        What a word in a report means: [reports.md](reports.md). Who is kept out, and who is not: [security.md](security.md).

        """;

    private static readonly string[] s_sections =
        ["Reports", "Worker exits", "Sending", "Handling", "Journal", "Spill", "Files", "Trust"];

    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20);

    private static string Page => Path.Combine(Repository.Root, "docs", "reference", "promises.md");

    [Test]
    public void The_page_has_each_promise_with_its_test()
    {
        Promise[] promises = [.. Marked()];
        Assert.That(promises.Select(one => one.Section).Distinct(), Is.EquivalentTo(s_sections));
        Assert.That(promises, Has.Length.LessThanOrEqualTo(60), "who reads more than that?");
        Assert.That(promises.Select(one => one.Text), Is.Unique);
        string wanted = Write(promises);
        if (Environment.GetEnvironmentVariable("TRANSPORT_UPDATE_GOLDEN") == "1")
        {
            File.WriteAllText(Page, wanted);
        }

        Assert.That(File.ReadAllText(Page), Is.EqualTo(wanted), "run this test with TRANSPORT_UPDATE_GOLDEN=1");
    }

    private static string Write(Promise[] promises)
    {
        var page = new StringBuilder(Intro);
        var links = new StringBuilder();
        int number = 0;
        foreach (string section in s_sections)
        {
            page.Append("\n## ").Append(section).Append('\n');
            foreach (Promise one in promises.Where(one => one.Section == section))
            {
                number++;
                page.Append("- ").Append(one.Text).Append(" ([test][").Append(number).Append("])\n");
                links.Append('[').Append(number).Append("]: ../../").Append(one.File).Append(" \"").Append(one.Test).Append("\"\n");
            }
        }

        return page.Append('\n').Append(links).ToString();
    }

    private static IEnumerable<Promise> Marked()
    {
        var mark = new Regex(
            """\[Promise\(\s*"(?<section>[^"]+)",\s*"(?<text>[^"]+)"\)\].*?\n {4}public [^\n]*?\b(?<test>\w+)\(""",
            RegexOptions.Singleline | RegexOptions.ExplicitCapture, s_patience);
        return Directory.EnumerateFiles(Path.Combine(Repository.Root, "tests"), "*.cs", SearchOption.AllDirectories)
            .Select(file => Path.GetRelativePath(Repository.Root, file))
            .Where(file => !file.Contains("/obj/", StringComparison.Ordinal) && Path.GetFileName(file) != nameof(PromisesTests) + ".cs")
            .Order(StringComparer.Ordinal)
            .SelectMany(file => mark.Matches(File.ReadAllText(Path.Combine(Repository.Root, file)))
                .Select(match => new Promise(
                    match.Groups["section"].Value, match.Groups["text"].Value, match.Groups["test"].Value, file)));
    }

    private sealed record Promise(string Section, string Text, string Test, string File);
}
