using System.Collections.Immutable;
using System.Composition;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Editing;

namespace Transport.CodeFixes;

/// <summary>Seals a packet, or an object of one, that is not sealed (TRANSPORT038).</summary>
[ExportCodeFixProvider(LanguageNames.CSharp, Name = nameof(SealPacket))]
[Shared]
public sealed class SealPacket : CodeFixProvider
{
    private const string Title = "Seal the type";

    /// <inheritdoc/>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ImmutableArray.Create("TRANSPORT038");

    /// <inheritdoc/>
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <inheritdoc/>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        SyntaxNode? root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        TypeDeclarationSyntax? type = root?.FindToken(context.Span.Start).Parent?.FirstAncestorOrSelf<TypeDeclarationSyntax>();
        if (type?.Identifier.Span == context.Span)   // else it is said of a field, whose type stands elsewhere
        {
            context.RegisterCodeFix(
                CodeAction.Create(Title, token => SealAsync(context.Document, type!, token), nameof(SealPacket)), context.Diagnostics);
        }
    }

    private static async Task<Document> SealAsync(Document document, TypeDeclarationSyntax type, CancellationToken cancellationToken)
    {
        DocumentEditor editor = await DocumentEditor.CreateAsync(document, cancellationToken).ConfigureAwait(false);
        editor.SetModifiers(type, editor.Generator.GetModifiers(type).WithIsSealed(true));
        return editor.GetChangedDocument();
    }
}
