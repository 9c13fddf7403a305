using System;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using NUnit.Framework;
using Transport.Generator.Tests.Kit;

namespace Transport.Generator.Tests.Docs;

/// <summary>What docs/guide/packets.md shows compiles, and docs/reference/packet-fields.md lists every message.</summary>
internal sealed partial class PacketsPageTests
{
    private static string Guide => Text("guide", "packets.md");

    private static string Reference => Text("reference", "packet-fields.md");

    [Test]
    public void Every_snippet_compiles_without_warnings()
    {
        string[] snippets = [.. Snippet().Matches(Guide).Select(m => m.Groups["code"].Value)];
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
            Assert.That(Reference.Contains($"| {id}", StringComparison.Ordinal)
                || Regex.IsMatch(Reference, $@"\| TRANSPORT\d+, {number} \|", RegexOptions.None, TimeSpan.FromSeconds(5)), Is.True, id);
        }
    }

    private static string Text(string folder, string page) =>
        File.ReadAllText(Source.Find(Path.Combine("..", "..", "docs", folder, page)));

    [GeneratedRegex("```csharp\n(?<code>.*?)```", RegexOptions.Singleline | RegexOptions.ExplicitCapture, 5000)]
    private static partial Regex Snippet();
}
