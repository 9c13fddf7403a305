using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using NUnit.Framework;
using Transport.Testing;

namespace Transport.Docs.Tests;

/// <summary>How much a user has to hold: the public types of all packages, each on a page.</summary>
internal sealed class TypesTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    [Test]
    public void Every_public_type_is_on_the_page_of_types_and_nothing_else()
    {
        string page = File.ReadAllText(Path.Combine(Repository.Root, "docs", "reference", "types.md"));
        string[] named = [.. Regex.Matches(page, "`(?<name>[A-Za-z]+)`", RegexOptions.ExplicitCapture, Patience)
            .Select(match => match.Groups["name"].Value)];
        Assert.That(named, Is.Unique);
        Assert.That(named.Order(StringComparer.Ordinal), Is.EqualTo(Types().Distinct().Order(StringComparer.Ordinal)));
    }

    /// <summary>Five are for loans: a lease, and the delegates and the enumerator that ref structs need up to C# 12. One says what carries
    /// streams, for a remote pool carries none.</summary>
    [Test]
    public void There_are_at_most_157_of_them_for_one_machine_20_for_several_and_74_in_the_core()
    {
        Assert.That(Types(), Has.Length.LessThanOrEqualTo(157 + TypesOf("Transport.Nats").Length));
        Assert.That(TypesOf("Transport.Nats"), Has.Length.LessThanOrEqualTo(20));
        Assert.That(TypesOf("Transport"), Has.Length.LessThanOrEqualTo(74));
    }

    private static string[] Types() =>
        [.. Directory.EnumerateDirectories(Path.Combine(Repository.Root, "src")).SelectMany(folder => TypesOf(Path.GetFileName(folder)))];

    /// <summary>What an analyzer holds src/*/PublicAPI to: a line without an arrow or an argument is a type.</summary>
    private static string[] TypesOf(string package)
    {
        string file = Path.Combine(Repository.Root, "src", package, "PublicAPI", "PublicAPI.Unshipped.txt");
        IEnumerable<string> lines = File.Exists(file) ? File.ReadLines(file) : [];
        return [.. lines.Select(line => Regex.Match(line, @"^[\w.]*?(?<name>\w+)(<[\w., ]+>)?$", RegexOptions.ExplicitCapture, Patience))
            .Where(match => match.Success).Select(match => match.Groups["name"].Value)];
    }
}
