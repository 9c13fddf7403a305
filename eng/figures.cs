#!/usr/bin/env dotnet
// Figures of the code's shape, for one or several revisions side by side.
// Usage: dotnet run eng/figures.cs -- FOLDER [FOLDER...]    each the root of a checkout; a Markdown table goes to standard output
#:package Microsoft.CodeAnalysis.CSharp@5.12.0
#:property ManagePackageVersionsCentrally=false
#:property PublishAot=false
#:property ImplicitUsings=enable
using System.Globalization;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

const int MostColumns = 140;

if (args.Length == 0 || args.Any(a => !Directory.Exists(Path.Combine(a, "src"))))
{
    Console.Error.WriteLine("figures: give one or more folders, each the root of a checkout.");
    return 2;
}

List<SortedDictionary<string, string>> columns = [.. args.Select(Measure)];
string[] rows = [.. columns.SelectMany(c => c.Keys).Distinct().Order(StringComparer.Ordinal)];
Console.WriteLine($"| figure | {string.Join(" | ", args.Select(a => Path.GetFileName(Path.GetFullPath(a))))} |");
Console.WriteLine($"|---|{string.Concat(args.Select(_ => "---|"))}");
foreach (string row in rows)
{
    Console.WriteLine($"| {row} | {string.Join(" | ", columns.Select(c => c.GetValueOrDefault(row, "-")))} |");
}

return 0;

static SortedDictionary<string, string> Measure(string root)
{
    var figures = new SortedDictionary<string, string>(StringComparer.Ordinal);
    int wide = 0, commentWords = 0, wheres = 0;
    foreach (string area in new[] { "src", "samples", "tests", "perf" })
    {
        int areaLines = 0;
        foreach (string project in Directory.EnumerateFiles(Path.Combine(root, area), "*.csproj", SearchOption.AllDirectories)
            .Order(StringComparer.Ordinal))
        {
            string name = Path.GetFileNameWithoutExtension(project);
            int lines = 0, fenced = 0, publicTypes = 0;
            var types = new Dictionary<string, int>();
            foreach (string file in Sources(Path.GetDirectoryName(project)!))
            {
                string text = File.ReadAllText(file);
                SyntaxNode tree = CSharpSyntaxTree.ParseText(text).GetRoot();
                lines += text.Count(c => c == '\n');
                wide += text.Split('\n').Count(line => line.Length > MostColumns);
                fenced += tree.DescendantNodes().OfType<MemberAccessExpressionSyntax>().Count(m
                    => m.Expression.ToString() is "Volatile" or "Interlocked" || m.Name.ToString() == "MemoryBarrier");
                fenced += tree.DescendantTokens().Count(t => t.IsKind(SyntaxKind.VolatileKeyword));
                foreach (BaseTypeDeclarationSyntax type in tree.DescendantNodes().OfType<BaseTypeDeclarationSyntax>())
                {
                    bool nested = type.Parent is BaseTypeDeclarationSyntax;
                    bool isPublic = type.AncestorsAndSelf().OfType<BaseTypeDeclarationSyntax>().All(t
                        => t.Modifiers.Any(SyntaxKind.PublicKeyword));
                    bool first = !type.Modifiers.Any(SyntaxKind.PartialKeyword) || !types.ContainsKey(type.Identifier.ToString());
                    publicTypes += isPublic && first ? 1 : 0;
                    if (!nested)
                    {
                        types[type.Identifier.ToString()] = types.GetValueOrDefault(type.Identifier
                            .ToString()) + type.ToFullString().Trim('\r', '\n').Count(c => c == '\n') + 1;
                    }
                }

                foreach (SyntaxTrivia comment in tree.DescendantTrivia().Where(IsComment))
                {
                    string[] words = Regex.Matches(Regex.Replace(comment.ToFullString(), "<[^>]*>", " "), @"[A-Za-z][A-Za-z'-]*").Select(m
                        => m.Value).ToArray();
                    commentWords += words.Length;
                    wheres += words.Count(w => w.Equals("where", StringComparison.OrdinalIgnoreCase));
                }
            }

            areaLines += lines;
            if (area is "src" or "samples" && lines > 0)
            {
                KeyValuePair<string, int> longest = types.OrderByDescending(t => t.Value).FirstOrDefault();
                string per = (fenced * 1000.0 / lines).ToString("0.0", CultureInfo.InvariantCulture);
                figures[$"{area}/{name}"] = $"{lines:N0} lines, {publicTypes} public types, longest {longest.Key} {longest.Value}, "
                    + $"{per} fenced accesses in 1,000 lines";
            }
        }

        figures[$"{area}: lines"] = areaLines.ToString("N0", CultureInfo.InvariantCulture);
    }

    figures["lines of C# wider than 140 columns"] = wide.ToString("N0", CultureInfo.InvariantCulture);
    figures["\"where\" in 1,000 words of comments"] = (wheres * 1000.0 / Math.Max(1, commentWords))
        .ToString("0.0", CultureInfo.InvariantCulture);
    return figures;
}

static IEnumerable<string> Sources(string folder) =>
    Directory.EnumerateFiles(folder, "*.cs", SearchOption.AllDirectories)
        .Where(f => !f.Contains("/obj/", StringComparison.Ordinal) && !f.Contains("/bin/", StringComparison.Ordinal));

static bool IsComment(SyntaxTrivia trivia) =>
    trivia.Kind() is SyntaxKind.SingleLineCommentTrivia or SyntaxKind.MultiLineCommentTrivia
        or SyntaxKind.SingleLineDocumentationCommentTrivia or SyntaxKind.MultiLineDocumentationCommentTrivia;
