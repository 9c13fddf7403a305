using System;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using NUnit.Framework;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Docs;

/// <summary>What docs/guide/packets.md shows compiles, and its list of messages is whole.</summary>
internal sealed partial class PacketsPageTests
{
    private static string Page => File.ReadAllText(Source.Find(Path.Combine("..", "..", "docs", "guide", "packets.md")));

    [Test]
    public void Every_snippet_compiles_without_warnings()
    {
        string[] snippets = [.. Snippet().Matches(Page).Select(m => m.Groups["code"].Value)];
        Assert.That(snippets, Has.Length.EqualTo(8));
        foreach (string snippet in snippets)
        {
            Compiler.Outcome outcome = Compiler.Run(snippet);
            Assert.That(outcome.Said, Is.Empty, snippet);
            Assert.That(outcome.Compiler, Is.Empty, snippet);
        }
    }

    [Test]
    public void Every_message_of_the_generator_is_listed()
    {
        foreach (string id in typeof(PacketGenerator).Assembly.GetType("Transport.Generator.Model.Rules")!.GetFields()
            .Select(f => ((DiagnosticDescriptor)f.GetValue(null)!).Id))
        {
            string number = id.Substring("TRANSPORT".Length);
            Assert.That(Page.Contains($"| {id}", StringComparison.Ordinal)
                || Regex.IsMatch(Page, $@"\| TRANSPORT\d+, {number} \|", RegexOptions.None, TimeSpan.FromSeconds(5)), Is.True, id);
        }
    }

    [GeneratedRegex("```csharp\n(?<code>.*?)```", RegexOptions.Singleline | RegexOptions.ExplicitCapture, 5000)]
    private static partial Regex Snippet();
}
