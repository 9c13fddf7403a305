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

    /// <summary>Gets the pages whose programs are complete: usings, and nothing of another block needed.</summary>
    public static IEnumerable<Page> WithPrograms => Directory.EnumerateDirectories(Path.Combine(Repository.Root, "src"))
        .Select(folder => Path.Combine(folder, "README.md")).Append(Path.Combine(Repository.Root, "README.md"))
        .Where(File.Exists).Select(file => new Page(Path.GetRelativePath(Repository.Root, file)));

    public string Name => name;

    public string Text { get; } = File.ReadAllText(Path.Combine(Repository.Root, name)).Replace("\r\n", "\n", StringComparison.Ordinal);

    /// <summary>Gets the C# programs; a block with several files has one for each, which begins with a comment that names it.</summary>
    public IEnumerable<string> Programs => Regex.Matches(Text, "^```csharp\n(?<code>.*?)^```",
            RegexOptions.Multiline | RegexOptions.Singleline | RegexOptions.ExplicitCapture, Patience)
        .SelectMany(block => Regex.Split(block.Groups["code"].Value, @"^(?=// [\w/]+\.cs)", RegexOptions.Multiline, Patience))
        .Where(code => code.Trim().Length > 0);

    public override string ToString() => name;
}
