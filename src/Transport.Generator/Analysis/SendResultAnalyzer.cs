using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Transport.Generator.Model;

namespace Transport.Generator.Analysis;

/// <summary>Warns if the answer of a send is ignored: a packet that was answered Full is not sent.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class SendResultAnalyzer : DiagnosticAnalyzer
{
    private const string SendResult = "Transport.SendResult";

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = ImmutableArray.Create(Rules.Ignored);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.GetTypeByMetadataName(SendResult) is { } answer)
            {
                // Lambdas and methods of one expression that return nothing have such a statement too.
                start.RegisterOperationAction(statement => Check(statement, answer), OperationKind.ExpressionStatement);
                start.RegisterOperationAction(conversion => CheckConversion(conversion, answer), OperationKind.Conversion);
            }
        });
    }

    private static void Check(OperationAnalysisContext context, INamedTypeSymbol answer)
    {
        IOperation value = ((IExpressionStatementOperation)context.Operation).Operation;
        if (value is not IAssignmentOperation && Holds(value.Type, answer))
        {
            Report(context, value);
        }
    }

    private static void Report(OperationAnalysisContext context, IOperation value)
    {
        // Where a parameter has that name, an assignment is no discard.
        bool isTaken = value.SemanticModel!.LookupSymbols(value.Syntax.SpanStart, name: "_").Length > 0;
        context.ReportDiagnostic(Diagnostic.Create(
            Rules.Ignored, value.Syntax.GetLocation(), Called(value)?.Name ?? "the send",
            isTaken ? "give what is called '_' here another name and " : string.Empty));
    }

    /// <summary>A task of an answer that becomes a task without one has lost it.</summary>
    private static void CheckConversion(OperationAnalysisContext context, INamedTypeSymbol answer)
    {
        var conversion = (IConversionOperation)context.Operation;
        if (conversion.Type is INamedTypeSymbol { Arity: 0, Name: "Task" or "ValueTask" } && Holds(conversion.Operand.Type, answer)
            && conversion.Parent is not ISimpleAssignmentOperation { Target: IDiscardOperation })
        {
            Report(context, conversion.Operand);
        }
    }

    /// <summary>Checks whether a value is an answer, or a task of one.</summary>
    private static bool Holds(ITypeSymbol? type, INamedTypeSymbol answer) =>
        SymbolEqualityComparer.Default.Equals(type, answer)
        || (type is INamedTypeSymbol { TypeArguments.Length: 1, Name: "Nullable" or "Task" or "ValueTask" } holder
            && SymbolEqualityComparer.Default.Equals(holder.TypeArguments[0], answer));

    /// <summary>Finds the call that gave the answer, behind await, <c>?.</c> and what waits for tasks.</summary>
    private static IMethodSymbol? Called(IOperation? value) => value switch
    {
        IAwaitOperation waiting => Called(waiting.Operation),
        IConditionalAccessOperation access => Called(access.WhenNotNull),
        IParenthesizedOperation inner => Called(inner.Operand),
        IInvocationOperation { TargetMethod.Name: "ConfigureAwait" or "GetAwaiter" or "GetResult" or "AsTask", Instance: { } task } =>
            Called(task),
        IInvocationOperation call => call.TargetMethod,
        _ => null,
    };
}
