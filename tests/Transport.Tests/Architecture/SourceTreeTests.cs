using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using NUnit.Framework;

namespace Transport.Tests.Architecture;

/// <summary>The shape of the source tree, beside what Transport.Rules keeps: namespaces, and few places in which platforms
/// differ.</summary>
internal sealed class SourceTreeTests
{
    /// <summary>Files that may distinguish platforms at compile time. Everything else is one source for all of them. ByteMoves counts in a
    /// build of its own, and is empty in every other.</summary>
    private static readonly string[] AllowedPlatformConditionals = ["NetStandard", "MessagePack/Utf8.cs", "Diagnostics/ByteMoves.cs"];

    /// <summary>Packages of src have one namespace each; everything else is found by its folder.</summary>
    [Test]
    public void A_folder_is_a_namespace_and_a_package_of_src_is_one()
    {
        var wrong = new List<string>();
        foreach ((string name, string[] lines) in Sources.In("src", "tests", "samples").Where(f => !f.Name.Contains("Example")))
        {
            string[] path = name.Split('/');
            string? space = lines.FirstOrDefault(l => l.StartsWith("namespace ", StringComparison.Ordinal))?.Substring(10)
                .TrimEnd(';', ' ');
            string folders = string.Join(".", path.Skip(2).Take(path.Length - 3));
            bool isRight = path[0] == "src" && path[1] != "Transport.Generator"
                ? space == NamespaceOf(path[1])
                : folders.Length == 0 || ("." + space).EndsWith("." + folders, StringComparison.Ordinal);
            if (space is not null && !isRight)
            {
                wrong.Add($"{name}: {space}");
            }
        }

        Assert.That(wrong, Is.Empty);
    }

    /// <summary>Returns the namespace that a package's project names: several may share one.</summary>
    private static string NamespaceOf(string package)
    {
        string project = File.ReadAllText(Path.Combine(Sources.Root, "src", package, package + ".csproj"));
        return (string?)XDocument.Parse(project).Descendants("RootNamespace").FirstOrDefault() ?? package;
    }

    [Test]
    public void No_regions() =>
        Assert.That(Sources.In().Where(f => f.Lines.Any(l => l.TrimStart().StartsWith("#region", StringComparison.Ordinal)))
            .Select(f => f.Name), Is.Empty);

    [Test]
    public void Few_files_distinguish_platforms()
    {
        IEnumerable<string> files = Sources.In("src")
            .Where(f => f.Lines.Any(l => l.TrimStart().StartsWith("#if", StringComparison.Ordinal))).Select(f => f.Name);
        Assert.That(files.Where(f => !AllowedPlatformConditionals.Any(f.Contains)), Is.Empty,
            "a new #if needs a place in this list, and a reason");
    }

    [Test]
    public void No_test_is_switched_off() =>
        Assert.That(Sources.In("tests").Where(f => f.Lines.Any(
            l => Regex.IsMatch(l, @"^\s*\[Ignore\(", RegexOptions.None, TimeSpan.FromSeconds(5)))).Select(f => f.Name), Is.Empty);
}
