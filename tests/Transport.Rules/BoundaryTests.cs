using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Xml.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using NUnit.Framework;

namespace Transport.Rules;

/// <summary>Projects meet at public API: no shared source files, no internals for samples, one class of system calls a platform.</summary>
internal sealed class BoundaryTests
{
    private static IEnumerable<string> Projects => Repository.Files("*.csproj", "src", "samples", "tests", "perf");

    [Test]
    public void No_project_compiles_the_sources_of_another()
    {
        IEnumerable<KeyValuePair<string, int>> links =
            from project in Projects
            from item in XDocument.Parse(Repository.Text(project)).Descendants("Compile")
            let include = (string?)item.Attribute("Include")
            where include is not null && include.Contains("..", StringComparison.Ordinal)
            group item by $"{project}: {include}" into one
            select KeyValuePair.Create(one.Key, one.Count());
        Departures.MustBeNone(links, "Reference the project, or move the code to one that both reference.");
    }

    [Test]
    public void Samples_and_tools_see_public_api_only()
    {
        string[] outsiders = [.. Repository.Files("*.csproj", "samples").Append("src/Transport.Tool/Transport.Tool.csproj")
            .Select(AssemblyName)];
        IEnumerable<KeyValuePair<string, int>> insiders =
            from project in Projects
            where project.StartsWith("src/", StringComparison.Ordinal)
            from item in XDocument.Parse(Repository.Text(project)).Descendants("InternalsVisibleTo")
            let friend = (string?)item.Attribute("Include")
            where outsiders.Contains(friend)
            select KeyValuePair.Create($"{project}: {friend}", 1);
        Departures.MustBeNone(insiders, "Give the sample what it needs as public API, or do without.");
    }

    [Test]
    public void There_is_one_class_of_system_calls_a_platform()
    {
        IEnumerable<string> classes =
            from package in Package.All
            from tree in package.Trees
            from attribute in tree.GetRoot().DescendantNodes().OfType<AttributeSyntax>()
            where attribute.Name.ToString() is "DllImport" or "LibraryImport"
            let type = attribute.FirstAncestorOrSelf<TypeDeclarationSyntax>()
            select $"{package.Name}: {type.Identifier}";
        string[] allowed = ["Transport: Libc", "Transport: Kernel32"];
        Departures.MustBeNone(classes.Distinct().Except(allowed).Select(c
            => KeyValuePair.Create(c, 1)), "Declare the call in src/Transport/Unix.");
    }

    /// <summary>The journal's tails are the ends of its segments.</summary>
    [Test]
    public void The_page_names_every_file_that_knows_the_crash_tail()
    {
        const string Title = "## What knows the tail", Feature = "src/Transport/Features/CrashTail/";
        string page = Repository.Text("docs/design/worker-exit.md").Split(Title)[1];
        IEnumerable<string> named = page.Split('`').Where(word => word.StartsWith("src/", StringComparison.Ordinal)
            && word.EndsWith(".cs", StringComparison.Ordinal));
        IEnumerable<string> knowing =
            from package in Package.All
            where !package.Name.StartsWith("Transport.Journal", StringComparison.Ordinal)
            from tree in package.Trees
            where !tree.FilePath.StartsWith(Feature, StringComparison.Ordinal)
                && tree.GetRoot().DescendantTokens().Any(token => token.IsKind(SyntaxKind.IdentifierToken)
                    && token.Text.Contains("Tail", StringComparison.Ordinal))
            select tree.FilePath;
        Assert.That(named, Is.EquivalentTo(knowing));
    }

    [Test]
    public void Every_source_folder_has_a_package()
    {
        string[] folders = [.. Directory.EnumerateDirectories(Path.Combine(Repository.Root, "src")).Select(f
            => Path.GetFileName(f)!).Order(StringComparer.Ordinal)];
        Assert.That(folders, Is.EqualTo(Package.All.Select(p => p.Name)), "the folders of src");
    }

    private static string AssemblyName(string project)
    {
        string file = Path.Combine(Repository.Root, project);
        string? named = File.Exists(file) ? (string?)XDocument.Parse(File.ReadAllText(file)).Descendants("AssemblyName").FirstOrDefault()
            : null;
        return named ?? Path.GetFileNameWithoutExtension(project);
    }
}
