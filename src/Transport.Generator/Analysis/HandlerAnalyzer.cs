using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Transport.Generator.Model;

namespace Transport.Generator.Analysis;

/// <summary>Warns if a handler blocks the thread that reads its link, or waits for an answer that this thread would have to read.</summary>
/// <remarks>It looks at lambdas and at local functions and methods of the same file, and into what they call only if that is all they
/// do.</remarks>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class HandlerAnalyzer : DiagnosticAnalyzer
{
    private const string Router = "Transport.PacketRouter";

    private static readonly ImmutableHashSet<string> Blocking = ImmutableHashSet.Create(
        "System.Threading.Tasks.Task.Wait", "System.Threading.Tasks.Task.WaitAll", "System.Threading.Tasks.Task.WaitAny",
        "System.Threading.Thread.Sleep", "System.Threading.Thread.Join", "System.Threading.WaitHandle.WaitOne",
        "System.Threading.WaitHandle.WaitAll", "System.Threading.WaitHandle.WaitAny", "System.Threading.SemaphoreSlim.Wait",
        "System.Threading.ManualResetEventSlim.Wait", "System.Threading.CountdownEvent.Wait", "System.Threading.Monitor.Wait",
        "System.Threading.Barrier.SignalAndWait", "System.Diagnostics.Process.WaitForExit", "System.Console.ReadLine",
        "Transport.IPacketSender.Send", "Transport.LinkExtensions.Send", "Transport.Link.Send", "Transport.WorkerPool.Send",
        "Transport.IPacketSender.SendRaw", "Transport.Link.SendRaw", "Transport.WorkerPool.SendRaw");

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
        ImmutableArray.Create(Rules.Blocks, Rules.AwaitsAnswer, Rules.NotAwaited, Rules.Shared);

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(static start =>
        {
            if (start.Compilation.GetTypeByMetadataName(Router) is { } router)
            {
                start.RegisterOperationAction(call => Check(call, router), OperationKind.Invocation);
            }
        });
    }

    private static void Check(OperationAnalysisContext context, INamedTypeSymbol router)
    {
        var call = (IInvocationOperation)context.Operation;
        if (!call.TargetMethod.Name.StartsWith("On", System.StringComparison.Ordinal)
            || !SymbolEqualityComparer.Default.Equals(call.TargetMethod.ContainingType, router))
        {
            return;
        }

        foreach (IOperation value in call.Arguments.Select(argument => argument.Value))
        {
            foreach (IOperation dropped in Dropped(value).Distinct())
            {
                context.ReportDiagnostic(Diagnostic.Create(Rules.NotAwaited, dropped.Syntax.GetLocation(), dropped.Type!.Name));
            }
        }

        bool isBeside = call.TargetMethod.Name is "OnRequest" or "OnRequestStream";   // the thread that reads
        IEnumerable<IOperation> handlers = call.Arguments
            .Where(argument => argument.Parameter?.Type.TypeKind == TypeKind.Delegate)
            .SelectMany(argument => Bodies(argument.Value, context));
        foreach (IOperation inside in handlers.SelectMany(WithoutNested))
        {
            if (WhatIsShared(inside) is { } shared)
            {
                context.ReportDiagnostic(Diagnostic.Create(Rules.Shared, inside.Syntax.GetLocation(), shared));
            }
            else if (!isBeside && WhatBlocks(inside) is { } what)
            {
                context.ReportDiagnostic(Diagnostic.Create(Rules.Blocks, inside.Syntax.GetLocation(), what));
            }
            else if (!isBeside && IsAwaitedRequest(inside))
            {
                context.ReportDiagnostic(Diagnostic.Create(Rules.AwaitsAnswer, inside.Syntax.GetLocation()));
            }
        }
    }

    /// <summary>Returns the body of a handler, and that of the method of the same file that is all it calls: the way of a handler of bytes that
    /// is asynchronous.</summary>
    private static IEnumerable<IOperation> Bodies(IOperation? value, OperationAnalysisContext context)
    {
        if (Body(value, context) is not { } body)
        {
            yield break;
        }

        yield return body;
        IOperation? only = body is IBlockOperation { Operations: { Length: 1 or 2 } operations }
            && (operations.Length == 1 || operations[1] is IReturnOperation { ReturnedValue: null }) ? operations[0] switch
        {
            IReturnOperation returned => returned.ReturnedValue,
            IExpressionStatementOperation statement => statement.Operation,
            _ => null,
        } : null;
        if ((only is IConversionOperation converted ? converted.Operand : only) is IInvocationOperation call
            && Declared(call.TargetMethod, context) is { } called)
        {
            yield return called;
        }
    }

    private static IOperation? Body(IOperation? value, OperationAnalysisContext context) => value switch
    {
        IConversionOperation conversion => Body(conversion.Operand, context),
        IParenthesizedOperation inner => Body(inner.Operand, context),
        IDelegateCreationOperation made => Body(made.Target, context),
        IAnonymousFunctionOperation lambda => lambda.Body,
        IMethodReferenceOperation method => Declared(method.Method, context),
        _ => null,
    };

    /// <summary>Returns the body of a method or local function of the file that is looked at, or null.</summary>
    private static IOperation? Declared(IMethodSymbol method, OperationAnalysisContext context)
    {
        SyntaxNode? declaration = method.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax(context.CancellationToken);
        return declaration?.SyntaxTree == context.Operation.Syntax.SyntaxTree
            ? context.Operation.SemanticModel?.GetOperation(declaration!, context.CancellationToken)
            : null;
    }

    /// <summary>Returns the operations of a body, without those of functions inside of it, which may run elsewhere.</summary>
    private static IEnumerable<IOperation> WithoutNested(IOperation body)
    {
        var pending = new Stack<IOperation>();
        pending.Push(body);
        while (pending.Count > 0)
        {
            IOperation next = pending.Pop();
            yield return next;
            foreach (IOperation child in next.ChildOperations.Reverse())
            {
                if (child is not IAnonymousFunctionOperation and not ILocalFunctionOperation)
                {
                    pending.Push(child);
                }
            }
        }
    }

    /// <summary>Finds the tasks that a handler without a result gives away: the one that is all it does, and any that was given a lease,
    /// whose loan is over as the handler returns. The compiler warns of neither.</summary>
    private static IEnumerable<IOperation> Dropped(IOperation? value)
    {
        while (value is IConversionOperation or IDelegateCreationOperation)
        {
            value = value is IConversionOperation conversion ? conversion.Operand : ((IDelegateCreationOperation)value).Target;
        }

        if (value is not IAnonymousFunctionOperation { Symbol: { ReturnsVoid: true, IsAsync: false }, Body: { } body })
        {
            yield break;
        }

        if (body.Operations is { Length: > 0 } operations && operations[0] is IExpressionStatementOperation
            {
                Operation: { } task and not IAssignmentOperation,
            } && IsTask(task.Type))
        {
            yield return task;
        }

        foreach (IOperation inside in WithoutNested(body))
        {
            IOperation? lost = inside switch
            {
                IExpressionStatementOperation { Operation: IInvocationOperation call } => call,
                ISimpleAssignmentOperation { Target: IDiscardOperation, Value: IInvocationOperation call } => call,
                _ => null,
            };
            if (lost is IInvocationOperation given && IsTask(given.Type)
                && given.Arguments.Any(argument => argument.Value.Type?.ToDisplayString() == "Transport.PacketLease"))
            {
                yield return given;
            }
        }
    }

    private static bool IsTask(ITypeSymbol? type) => type is { Name: "Task" or "ValueTask" }
        && type.ContainingNamespace.ToDisplayString() == "System.Threading.Tasks";

    /// <summary>Finds what is read, changed and written back, and does not belong to this call of the handler alone.</summary>
    private static string? WhatIsShared(IOperation operation)
    {
        IOperation? target = operation switch
        {
            IIncrementOrDecrementOperation step => step.Target,
            ICompoundAssignmentOperation change => change.Target,
            ICoalesceAssignmentOperation change => change.Target,
            _ => null,
        };
        for (IOperation? around = target is null ? null : operation.Parent; around is not null; around = around.Parent)
        {
            switch (around)
            {
                case ILockOperation:
                    return null;
                case IAnonymousFunctionOperation lambda:
                    return IsOutside(target!, lambda.Symbol) ? target!.Syntax.ToString() : null;
            }
        }

        return null;
    }

    /// <summary>Whether a target is a variable around a lambda, or a member of an object that a lambda has captured.</summary>
    private static bool IsOutside(IOperation target, IMethodSymbol lambda) => target switch
    {
        ILocalReferenceOperation local => !SymbolEqualityComparer.Default.Equals(local.Local.ContainingSymbol, lambda),
        IParameterReferenceOperation parameter => !SymbolEqualityComparer.Default.Equals(parameter.Parameter.ContainingSymbol, lambda),
        IMemberReferenceOperation { Instance: null or IInstanceReferenceOperation } => true,
        IMemberReferenceOperation { Instance: { } owner } => IsOutside(owner, lambda),
        _ => false,
    };

    private static string? WhatBlocks(IOperation operation) => operation switch
    {
        IInvocationOperation { TargetMethod: { Name: "GetResult", ContainingType: { } awaiter } method }
            when awaiter.Name.EndsWith("Awaiter", System.StringComparison.Ordinal) => method.Name,
        IInvocationOperation { TargetMethod: { } method } when Blocking.Contains(NameOf(method)) => method.Name,
        IPropertyReferenceOperation { Property: { Name: "Result", ContainingType: { Name: "Task" or "ValueTask" } type } property }
            when type.ContainingNamespace.ToDisplayString() == "System.Threading.Tasks" => property.Name,
        _ => null,
    };

    /// <summary>Checks whether a handler awaits a request, or returns its task for the reader to await.</summary>
    private static bool IsAwaitedRequest(IOperation operation) => operation switch
    {
        IAwaitOperation waiting => IsRequest(waiting.Operation),
        IReturnOperation { ReturnedValue: { } value } => IsRequest(value),
        IForEachLoopOperation { IsAsynchronous: true, Collection: { } stream } => IsRequest(stream),
        _ => false,
    };

    private static bool IsRequest(IOperation? value) => value switch
    {
        IConversionOperation conversion => IsRequest(conversion.Operand),
        IInvocationOperation { TargetMethod.Name: "ConfigureAwait", Instance: { } task } => IsRequest(task),
        IInvocationOperation
        {
            TargetMethod.Name: "ConfigureAwait" or "WithCancellation", Instance: null, Arguments: { Length: > 0 } arguments,
        } => IsRequest(arguments[0].Value),
        IInvocationOperation { TargetMethod.Name: "RequestAsync" or "RequestStreamAsync", Instance: { } sender } => IsLink(sender),
        IInvocationOperation
        {
            TargetMethod: { Name: "RequestAsync" or "RequestStreamAsync" } method, Arguments: { Length: > 0 } given,
        } => method.ContainingType.ToDisplayString() == "Transport.LinkExtensions" && IsLink(given[0].Value),
        _ => false,
    };

    /// <summary>Whether a request goes over a link: a pool's goes to a worker that may be another one.</summary>
    private static bool IsLink(IOperation sender) => sender is IConversionOperation conversion ? IsLink(conversion.Operand)
        : sender.Type?.ToDisplayString() == "Transport.Link";

    private static string NameOf(IMethodSymbol method) => method.ContainingType.ToDisplayString() + "." + method.Name;
}
