using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using NUnit.Framework;

namespace Transport.Tests.Architecture;

/// <summary>The tests that the pages of promises name are there: a name that was changed is a promise without proof.</summary>
internal sealed class PromisesTests
{
    /// <summary>Shorter words in code marks are options and types.</summary>
    private const int ShortestName = 24;

    private static readonly HashSet<string> Words =
        [.. Sources.In("tests").SelectMany(f => f.Lines).SelectMany(l => Regex.Matches(l, @"\w+", RegexOptions.None,
            TimeSpan.FromSeconds(10)).Cast<Match>().Select(m => m.Value)).Where(w => w.Length >= ShortestName)];

    [TestCase("docs/reference/promises.md")]
    [TestCase("docs/reference/security.md")]
    [TestCase("docs/guide/files.md")]
    public void Every_test_that_is_named_is_there(string page)
    {
        string text = File.ReadAllText(Path.Combine(Sources.Root, page));
        string[] names = [.. Regex.Matches(text, @"`(\w{" + ShortestName + @",})`", RegexOptions.None, TimeSpan.FromSeconds(10))
            .Cast<Match>().Select(m => m.Groups[1].Value).Distinct()];
        Assert.That(names, Is.Not.Empty);
        Assert.That(names.Where(n => !Words.Contains(n)), Is.Empty);
    }
}
