using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Transport.Testing;

namespace Transport.Docs.Tests;

/// <summary>A page of documentation.</summary>
/// <param name="name">Its path, relative to the root of the repository.</param>
internal sealed class Page(string name)
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private static readonly Regex Fenced = new("```.*?```", RegexOptions.Singleline, Patience);

    /// <summary>Gets the pages whose programs are complete: usings, and nothing of another block needed.</summary>
    public static IEnumerable<Page> WithPrograms => Directory.EnumerateDirectories(Path.Combine(Repository.Root, "src"))
        .Select(folder => Path.Combine(folder, "README.md")).Append(Path.Combine(Repository.Root, "README.md"))
        .Where(File.Exists).Select(file => new Page(Path.GetRelativePath(Repository.Root, file)));

    public string Name => name;

    public string Text { get; } = File.ReadAllText(Path.Combine(Repository.Root, name)).Replace("\r\n", "\n", StringComparison.Ordinal);

    /// <summary>Gets the blocks of code, with their fences.</summary>
    public IEnumerable<string> Blocks => Fenced.Matches(Text).Select(block => block.Value);

    /// <summary>Gets the text beside the blocks of code.</summary>
    public string Prose => Fenced.Replace(Text, string.Empty);

    /// <summary>Gets the C# programs; a block with several files has one for each, which begins with a comment that names it.</summary>
    public IEnumerable<string> Programs => Regex.Matches(Text, "^```csharp\n(?<code>.*?)^```",
            RegexOptions.Multiline | RegexOptions.Singleline | RegexOptions.ExplicitCapture, Patience)
        .SelectMany(block => Regex.Split(block.Groups["code"].Value, @"^(?=// [\w/]+\.cs)", RegexOptions.Multiline, Patience))
        .Where(code => code.Trim().Length > 0);

    /// <summary>Returns the block that shows a whole file of C#.</summary>
    public static string Listing(string file) => "```csharp\n" + File.ReadAllText(file).Trim() + "\n```";

    public override string ToString() => name;
}
