using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using NUnit.Framework;
using Transport.Journal;
using Transport.Nats;
using Transport.Testing;

namespace Transport.Docs.Tests;

/// <summary>Every name in code marks that looks like a type or member exists: pages for users name the public API, design pages the
/// sources.</summary>
internal sealed class NamesTests
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    /// <summary>Names of .NET, MSBuild and other libraries, and examples.</summary>
    private static readonly HashSet<string> s_foreign =
    [
        "AddFilter", "BuildManager", "ContentRootPath", "CurrentUserOnly", "Dockerfile", "EventListener", "FileWrites",
        "FileWritesShareable", "Foo", "Host.CreateDefaultBuilder", "ILogger", "ILogger.Log", "ILoggerFactory", "ILoggerProvider",
        "InvariantGlobalization", "Interlocked", "Interlocked.Add", "Interlocked.Increment",
        "IsExternalInit", "LogInformation", "MessagePackSerializerOptions.Standard", "OutDir", "OutOfMemoryException", "PublishAot",
        "Release1", "Release12", "Result", "SetMinimumLevel", "Thread.Sleep", "ValueTask", "Wait",
        "Transport.LeftOut", "Transport.Spill",   // a property of a log event, a category
    ];

    /// <summary>The public API: names of types and members, and <c>Type.Member</c>.</summary>
    private static readonly HashSet<string> s_api = [.. Api()];

    private static readonly HashSet<string> s_types = [.. s_api.Where(name => name.Contains('.')).Select(name => name.Split('.')[0])];

    private static readonly HashSet<string> s_files = [.. Sources().Select(file => Path.GetFileNameWithoutExtension(file)!),
        .. Directory.EnumerateDirectories(Path.Combine(Repository.Root, "src")).Select(folder => Path.GetFileName(folder)!),
        .. Directory.EnumerateDirectories(Path.Combine(Repository.Root, "samples")).Select(folder => Path.GetFileName(folder)!),
        "Transport.BuildHarness"];

    private static readonly Lazy<HashSet<string>> s_words = new(() => [.. Sources().SelectMany(file =>
        Regex.Matches(File.ReadAllText(file), @"\b[A-Z]\w+", RegexOptions.None, s_patience).Select(match => match.Value))]);

    private static IEnumerable<string> Pages => Directory.EnumerateFiles(Repository.Root, "*.md")
        .Concat(Directory.EnumerateFiles(Path.Combine(Repository.Root, "docs"), "*.md", SearchOption.AllDirectories))
        .Concat(Directory.EnumerateFiles(Path.Combine(Repository.Root, "src"), "README.md", SearchOption.AllDirectories))
        .Select(file => Path.GetRelativePath(Repository.Root, file)).Where(page => page != "CHANGELOG.md");

    [TestCaseSource(nameof(Pages))]
    public void Every_name_in_code_marks_exists(string name)
    {
        var page = new Page(name);
        HashSet<string> shown = [.. page.Blocks
            .SelectMany(block => Regex.Matches(block, @"\w+", RegexOptions.None, s_patience)).Select(word => word.Value)];
        bool isForUsers = !name.Contains("design", StringComparison.Ordinal) && name is not "ARCHITECTURE.md";
        string[] unknown = [.. Regex.Matches(page.Prose, "`(?<span>[^`\n]+)`", RegexOptions.ExplicitCapture, s_patience)
            .Select(match => Bare(match.Groups["span"].Value))
            .Where(span => Regex.IsMatch(span, @"^[A-Z]\w*[a-z]\w*(\.[A-Z]\w+)?$", RegexOptions.ExplicitCapture, s_patience))
            .Where(span => !shown.Contains(span) && !s_foreign.Contains(span) && !s_files.Contains(span))
            .Where(span => !s_api.Contains(span) && (isForUsers || !IsInSources(span))).Distinct()];
        Assert.That(unknown, Is.Empty);
    }

    [TestCase(typeof(TransportFault))]
    [TestCase(typeof(JournalFault))]
    [TestCase(typeof(FleetFault))]
    public void Every_fault_is_on_its_page(Type faults)
    {
        var page = new Page("docs/reference/faults.md");
        Assert.That(Enum.GetNames(faults).Where(name => !page.Text.Contains($"`{name}`", StringComparison.Ordinal)), Is.Empty);
    }

    private static string Bare(string span) => Regex.Replace(Regex.Replace(span.Trim(), @"\(.*\)$", string.Empty, RegexOptions.None,
        s_patience), "<[^>]*>", string.Empty, RegexOptions.None, s_patience);

    private static bool IsInSources(string name) => name.Split('.').All(part => s_words.Value.Contains(part))
        && !(name.Contains('.') && s_types.Contains(name.Split('.')[0]) && !IsDeclared(name));

    /// <summary>An internal member of a public type: it is declared in the file of that type.</summary>
    private static bool IsDeclared(string name) => Sources().Where(file =>
            Path.GetFileName(file).Split('.')[0] == name.Split('.')[0])
        .Any(file => Regex.IsMatch(File.ReadAllText(file), $@"\b{name.Split('.')[1]}\b", RegexOptions.None, s_patience));

    private static IEnumerable<string> Sources() => new[] { "src", "tests", "perf", "samples" }.SelectMany(folder =>
            Directory.EnumerateFiles(Path.Combine(Repository.Root, folder), "*.cs", SearchOption.AllDirectories))
        .Where(file => !file.Contains("/obj/", StringComparison.Ordinal));

    private static IEnumerable<string> Api()
    {
        string src = Path.Combine(Repository.Root, "src");
        foreach (string line in Directory.EnumerateFiles(src, "PublicAPI.*.txt", SearchOption.AllDirectories).SelectMany(File.ReadLines))
        {
            string declared = Regex.Replace(line, "^((static|abstract|const|override|virtual|readonly) |~)*", string.Empty,
                RegexOptions.ExplicitCapture, s_patience);
            string[] parts = [.. Bare(declared.Split(" -> ")[0].Split(" = ")[0].Split('(')[0]).Split('.')];
            for (int i = 0; i < parts.Length; i++)
            {
                yield return parts[i];
                if (i > 0)
                {
                    yield return $"{parts[i - 1]}.{parts[i]}";
                }
            }
        }
    }
}
