using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;
using Transport.Generator.Analysis;
using Transport.Generator.Emit;
using Transport.Generator.Model;

namespace Transport.Generator;

/// <summary>Writes the formatters of types marked with [Packet], [PacketObject] and [PacketUnion], and the clients of [Service].</summary>
/// <remarks>Three outputs: the code, whose models hold no places, so that an edit elsewhere writes nothing again; the messages, which do;
/// and the numbers, which are compared over the whole compilation.</remarks>
[Generator(LanguageNames.CSharp)]
public sealed class PacketGenerator : IIncrementalGenerator
{
    /// <summary>The name of the step that makes the models, for tests of the cache.</summary>
    public const string ModelStep = "TransportPacketModels";

    /// <inheritdoc/>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        IncrementalValuesProvider<Result> packets = Marked(context, Names.Packet);
        IncrementalValuesProvider<Result> objects = Marked(context, Names.PacketObject);
        IncrementalValuesProvider<UnionResult> unions = Unions(context);
        IncrementalValuesProvider<UnionModel> unionModels = unions
            .SelectMany(static (result, _) => result.Union is null ? ImmutableArray<UnionModel>.Empty : ImmutableArray.Create(result.Union))
            .WithTrackingName(ModelStep);
        IncrementalValuesProvider<ServiceResult> services = Services(context);
        IncrementalValuesProvider<ServiceModel> serviceModels = services
            .SelectMany(static (result, _) =>
                result.Service is null ? ImmutableArray<ServiceModel>.Empty : ImmutableArray.Create(result.Service))
            .WithTrackingName(ModelStep);
        IncrementalValueProvider<EquatableArray<string>> doubles = FullNames(packets)
            .Combine(FullNames(objects))
            .Combine(unionModels.Select(static (union, _) => union.Shell.FullName).Collect())
            .Combine(serviceModels.Select(static (service, _) => service.FullName).Collect())
            .Select(static (names, _) => Duplicates(
                names.Left.Left.Left.AddRange(names.Left.Left.Right).AddRange(names.Left.Right).AddRange(names.Right)));
        foreach (IncrementalValuesProvider<Result> results in new[] { packets, objects })
        {
            Report(context, results.SelectMany(static (result, _) => result.Diagnostics));
            context.RegisterSourceOutput(
                Models(results).WithTrackingName(ModelStep).Combine(doubles),
                static (output, one) => Write(output, one.Left.Shell.FullName, one.Right, () => PacketEmitter.Emit(one.Left)));
        }

        Report(context, unions.SelectMany(static (result, _) => result.Diagnostics));
        context.RegisterSourceOutput(
            unionModels.Combine(doubles),
            static (output, one) => Write(output, one.Left.Shell.FullName, one.Right, () => UnionEmitter.Emit(one.Left)));

        Report(context, services.SelectMany(static (result, _) => result.Diagnostics));
        context.RegisterSourceOutput(
            serviceModels.Combine(doubles),
            static (output, one) => Write(output, one.Left.FullName, one.Right, () => ServiceEmitter.Emit(one.Left)));

        IncrementalValueProvider<EquatableArray<Number>> numbers = packets
            .Where(static result => result.Packet?.Header is not null)
            .Select(static (result, _) => new Number(result.Packet!.Header!.Id, result.Packet.Shell.FullName, result.IdPlace))
            .Collect()
            .Combine(services.SelectMany(static (result, _) => NumbersOf(result)).Collect())
            .Select(static (all, _) => new EquatableArray<Number>([.. all.Left, .. all.Right]));
        context.RegisterSourceOutput(numbers, static (output, all) => Compare(output, all));
    }

    private static IncrementalValuesProvider<Result> Marked(IncrementalGeneratorInitializationContext context, string attribute) =>
        context.SyntaxProvider
            .ForAttributeWithMetadataName(
                attribute,
                static (node, _) => node is TypeDeclarationSyntax,
                static (found, cancellation) => PacketAnalysis.Run(found, cancellation))
            .SelectMany(static (result, _) => result is null ? ImmutableArray<Result>.Empty : ImmutableArray.Create(result));

    private static IncrementalValuesProvider<UnionResult> Unions(IncrementalGeneratorInitializationContext context) =>
        context.SyntaxProvider
            .ForAttributeWithMetadataName(
                Names.PacketUnion,
                static (node, _) => node is TypeDeclarationSyntax,
                static (found, cancellation) => UnionAnalysis.Run(found, cancellation))
            .SelectMany(static (result, _) => result is null ? ImmutableArray<UnionResult>.Empty : ImmutableArray.Create(result));

    private static IncrementalValuesProvider<ServiceResult> Services(IncrementalGeneratorInitializationContext context) =>
        context.SyntaxProvider
            .ForAttributeWithMetadataName(
                Names.Service,
                static (node, _) => node is TypeDeclarationSyntax,
                static (found, cancellation) => ServiceAnalysis.Run(found, cancellation))
            .SelectMany(static (result, _) => result is null ? ImmutableArray<ServiceResult>.Empty : ImmutableArray.Create(result));

    private static IEnumerable<Number> NumbersOf(ServiceResult result) =>
        result.Service is { } service ? service.Calls.Select(call => new Number(call.Id, call.Title, result.IdPlace)) : [];

    private static void Report(IncrementalGeneratorInitializationContext context, IncrementalValuesProvider<DiagnosticInfo> messages) =>
        context.RegisterSourceOutput(messages, static (output, message) => output.ReportDiagnostic(message.ToDiagnostic()));

    private static IncrementalValuesProvider<PacketModel> Models(IncrementalValuesProvider<Result> results) =>
        results.SelectMany(static (result, _) => result.Packet is null ? ImmutableArray<PacketModel>.Empty
            : ImmutableArray.Create(result.Packet));

    private static IncrementalValueProvider<ImmutableArray<string>> FullNames(IncrementalValuesProvider<Result> results) =>
        Models(results).Select(static (packet, _) => packet.Shell.FullName).Collect();

    /// <summary>Names that two types have: the compiler itself says that one is too many, and two files of one name would end the
    /// generator.</summary>
    private static EquatableArray<string> Duplicates(ImmutableArray<string> names) =>
        new([.. names.GroupBy(name => name, StringComparer.Ordinal).Where(same => same.Skip(1).Any()).Select(same => same.Key)]);

    private static void Write(SourceProductionContext output, string fullName, EquatableArray<string> doubles, Func<string> emit)
    {
        if (doubles.Contains(fullName))
        {
            return;
        }

        try
        {
            output.AddSource(FileName(fullName), SourceText.From(emit(), new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)));
        }
        catch (Exception failure) when (failure is not OperationCanceledException)
        {
            string what = $"{failure.GetType().Name}: {failure.Message}";
            output.ReportDiagnostic(Diagnostic.Create(Rules.Failed, Location.None, fullName, what));
        }
    }

    /// <summary>Each number belongs to one packet of the compilation: the first in the order of the files keeps it.</summary>
    private static void Compare(SourceProductionContext output, EquatableArray<Number> all)
    {
        foreach (IGrouping<int, Number> same in all.GroupBy(n => n.Id))
        {
            Number first = same.First();
            foreach (Number other in same.Skip(1))
            {
                output.ReportDiagnostic(Diagnostic.Create(Rules.IdTaken, other.Place.ToLocation(), other.Name, $"{other.Id}", first.Name));
            }
        }
    }

    /// <summary>The names of generated files must differ even if case is ignored, and those of types need not: a hash of the name
    /// distinguishes them apart.</summary>
    private static string FileName(string fullName)
    {
        uint hash = 2_166_136_261;
        foreach (char c in fullName)
        {
            hash = unchecked((hash ^ c) * 16_777_619);
        }

        return $"{fullName.Replace("@", "")}.{hash:x8}.g.cs";
    }

    private sealed record Number(int Id, string Name, Place Place);
}
