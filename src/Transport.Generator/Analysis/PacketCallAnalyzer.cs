using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Transport.Generator.Model;

namespace Transport.Generator.Analysis;

/// <summary>Says which two ways there are if a type of MessagePack-CSharp is sent or handled as if it were a packet. The compiler only
/// says that an interface is missing.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class PacketCallAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(Rules.NoPacket);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.GetTypeByMetadataName("Transport.IPacket`1") is { } packet
                && start.Compilation.GetTypeByMetadataName(Names.MessagePackObject) is not null)
            {
                start.RegisterSyntaxNodeAction(node => Check(node, packet), SyntaxKind.InvocationExpression);
            }
        });
    }

    private static void Check(SyntaxNodeAnalysisContext context, INamedTypeSymbol packet)
    {
        var call = (InvocationExpressionSyntax)context.Node;
        SymbolInfo called = context.SemanticModel.GetSymbolInfo(call, context.CancellationToken);
        if (called.Symbol is not null)
        {
            return; // It compiles.
        }

        // Extension methods whose constraint fails are no candidates: what is sent is then seen by the arguments.
        (ITypeSymbol? theirs, string method) = called.CandidateSymbols.OfType<IMethodSymbol>()
            .SelectMany(m => m.TypeArguments.Where((_, i) => IsOfPacket(m.TypeParameters[i], packet)).Select(type => (type, m.Name)))
            .FirstOrDefault(found => Names.Has(found.type, Names.MessagePackObject));
        if (theirs is null && call.Expression is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "TrySend" or "SendAsync" } send
            && context.SemanticModel.GetTypeInfo(send.Expression, context.CancellationToken).Type is { } sender
            && sender.ContainingNamespace?.Name == "Transport")
        {
            method = send.Name.Identifier.ValueText;
            theirs = call.ArgumentList.Arguments
                .Select(argument => context.SemanticModel.GetTypeInfo(argument.Expression, context.CancellationToken).Type)
                .FirstOrDefault(type => type is not null && Names.Has(type, Names.MessagePackObject));
        }

        if (theirs is not null)
        {
            context.ReportDiagnostic(Diagnostic.Create(Rules.NoPacket, call.GetLocation(), Names.People(theirs), method));
        }
    }

    private static bool IsOfPacket(ITypeParameterSymbol parameter, INamedTypeSymbol packet) =>
        parameter.ConstraintTypes.Any(c => SymbolEqualityComparer.Default.Equals(c.OriginalDefinition, packet));
}
