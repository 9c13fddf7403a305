using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using NUnit.Framework;

namespace Transport.Rules;

/// <summary>messages.txt lists every text that a person may read: of exceptions, reports, events, analyzers and commands. Who changes one
/// sees it beside the others, and reads it once more; with TRANSPORT_UPDATE_GOLDEN=1 the list is written anew.</summary>
internal sealed class MessagesTests
{
    private const string List = "tests/Transport.Rules/messages.txt";

    /// <summary>Where a literal is said to a person: what is called, or made.</summary>
    private static readonly string[] s_speakers =
    [
        "Write", "WriteLine", "WriteLineAsync", "Report", "Require", "Between", "AddError", "Fail", "Refuse", "Fault", "LinkCause",
        "DiagnosticDescriptor", "Description", "Warn", "Say",
    ];

    [Test]
    public void The_list_has_every_message()
    {
        string wanted = Listed();
        string file = Path.Combine(Repository.Root, List);
        if (Environment.GetEnvironmentVariable("TRANSPORT_UPDATE_GOLDEN") == "1")
        {
            File.WriteAllText(file, wanted);
        }

        Assert.That(Repository.Text(List), Is.EqualTo(wanted), "read what is new, then run this test with TRANSPORT_UPDATE_GOLDEN=1");
    }

    private static string Listed()
    {
        var list = new StringBuilder();
        IEnumerable<(string File, SyntaxNode Root)> files = Package.All.SelectMany(package => package.Trees)
            .Select(tree => (tree.FilePath, tree.GetRoot()))
            .Concat(Repository.Files("*.cs", "samples/BuildHarness").Select(file => (file,
                CSharpSyntaxTree.ParseText(Repository.Text(file)).GetRoot() as SyntaxNode)));
        foreach ((string path, SyntaxNode root) in files.OrderBy(one => one.File, StringComparer.Ordinal))
        {
            string[] texts = [.. root.DescendantNodes().Where(IsWhole).Where(IsSpoken).Select(Shown)
                .Where(text => text.Split(' ').Count(word => word.Count(char.IsLetter) > 1) > 1).Distinct()];
            if (texts.Length > 0)
            {
                list.Append(path).Append('\n');
                Array.ForEach(texts, text => list.Append("    ").Append(text).Append('\n'));
            }
        }

        return list.ToString();
    }

    /// <summary>A literal, an interpolation, or the sum of several: not a part of one.</summary>
    private static bool IsWhole(SyntaxNode node) => IsText(node) && !(node.Parent is BinaryExpressionSyntax sum && IsText(sum))
        && node.Parent is not InterpolationSyntax;

    private static bool IsText(SyntaxNode node) => node switch
    {
        LiteralExpressionSyntax literal => literal.IsKind(SyntaxKind.StringLiteralExpression),
        InterpolatedStringExpressionSyntax => true,
        BinaryExpressionSyntax { RawKind: (int)SyntaxKind.AddExpression } sum => IsText(sum.Left) || IsText(sum.Right),
        _ => false,
    };

    private static bool IsSpoken(SyntaxNode node)
    {
        foreach (SyntaxNode around in node.Ancestors())
        {
            switch (around)
            {
                case ObjectCreationExpressionSyntax made when Speaks(made.Type.ToString()):
                case InvocationExpressionSyntax call when Speaks(NameOf(call.Expression)):
                case AttributeSyntax { Name: IdentifierNameSyntax { Identifier.ValueText: "Event" } }:
                case AssignmentExpressionSyntax set when Speaks(NameOf(set.Left)):
                case VariableDeclaratorSyntax or ArrowExpressionClauseSyntax or ReturnStatementSyntax:
                    return node.Ancestors().OfType<AttributeSyntax>().FirstOrDefault() is not { } attribute
                        || attribute.Name.ToString() == "Event";
                case ImplicitObjectCreationExpressionSyntax or ThrowStatementSyntax or ThrowExpressionSyntax:
                    return true;
                case MemberDeclarationSyntax:
                    return false;
            }
        }

        return false;
    }

    private static bool Speaks(string name) => name.EndsWith("Exception", StringComparison.Ordinal) || s_speakers.Contains(name);

    private static string NameOf(ExpressionSyntax expression) => expression switch
    {
        MemberAccessExpressionSyntax member => member.Name.Identifier.ValueText,
        SimpleNameSyntax name => name.Identifier.ValueText,
        MemberBindingExpressionSyntax binding => binding.Name.Identifier.ValueText,
        _ => string.Empty,
    };

    /// <summary>The text with a … for each value in it.</summary>
    private static string Shown(SyntaxNode node) => node switch
    {
        LiteralExpressionSyntax literal when literal.IsKind(SyntaxKind.StringLiteralExpression) =>
            literal.Token.ValueText.Replace("\n", "\\n", StringComparison.Ordinal),
        InterpolatedStringExpressionSyntax text => string.Concat(text.Contents.Select(part =>
            part is InterpolatedStringTextSyntax words ? words.TextToken.ValueText.Replace("\n", "\\n", StringComparison.Ordinal) : "…")),
        BinaryExpressionSyntax sum => Shown(sum.Left) + Shown(sum.Right),
        _ => "…",
    };
}
