using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Transport.Generator.Model;

namespace Transport.Generator.Analysis;

/// <summary>Says which ways there are if a type that is no packet is sent or handled as if it were one. The compiler only says that an
/// interface is missing.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class PacketCallAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(Rules.NoPacket, Rules.Plain);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.GetTypeByMetadataName("Transport.IPacket`1") is { } packet)
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
        (ITypeSymbol? type, string method) = called.CandidateSymbols.OfType<IMethodSymbol>()
            .SelectMany(m => m.TypeArguments.Where((_, i) => IsOfPacket(m.TypeParameters[i], packet)).Select(type => (type, m.Name)))
            .FirstOrDefault(found => IsMeant(found.type));
        if (type is null && call.Expression is MemberAccessExpressionSyntax { Name.Identifier.ValueText: "TrySend" or "SendAsync" } send
            && context.SemanticModel.GetTypeInfo(send.Expression, context.CancellationToken).Type is { } sender
            && sender.ContainingNamespace?.Name == "Transport")
        {
            method = send.Name.Identifier.ValueText;
            type = call.ArgumentList.Arguments.Take(1)
                .Select(argument => context.SemanticModel.GetTypeInfo(argument.Expression, context.CancellationToken).Type)
                .FirstOrDefault(one => one is not null && IsMeant(one));
        }

        if (type is not null)
        {
            DiagnosticDescriptor rule = Names.Has(type, Names.MessagePackObject) ? Rules.NoPacket : Rules.Plain;
            context.ReportDiagnostic(Diagnostic.Create(rule, call.GetLocation(), Names.People(type), method));
        }

        bool IsMeant(ITypeSymbol one) => Names.Has(one, Names.MessagePackObject) || IsPlain(one, packet);
    }

    /// <summary>Whether a type could be marked: it is declared here, and is no packet yet, nor about to be one.</summary>
    private static bool IsPlain(ITypeSymbol type, INamedTypeSymbol packet) =>
        type is INamedTypeSymbol { TypeKind: TypeKind.Class or TypeKind.Struct } && type.Locations.Any(place => place.IsInSource)
        && !type.AllInterfaces.Any(one => SymbolEqualityComparer.Default.Equals(one.OriginalDefinition, packet))
        && !type.GetAttributes().Any(one => one.AttributeClass is { Name: "PacketAttribute", ContainingNamespace.Name: "Transport" });

    private static bool IsOfPacket(ITypeParameterSymbol parameter, INamedTypeSymbol packet) =>
        parameter.ConstraintTypes.Any(c => SymbolEqualityComparer.Default.Equals(c.OriginalDefinition, packet));
}
