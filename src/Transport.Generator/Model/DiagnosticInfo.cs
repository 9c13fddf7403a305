using System;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace Transport.Generator.Model;

/// <summary>A message for the user of the compiler, comparable, and free of the compiler's trees.</summary>
internal sealed record DiagnosticInfo(DiagnosticDescriptor Rule, Place Place, EquatableArray<string> Arguments)
{
    public static DiagnosticInfo At(Location? location, DiagnosticDescriptor rule, params string[] arguments) =>
        new(rule, Place.Of(location), new EquatableArray<string>(arguments));

    public Diagnostic ToDiagnostic() => Diagnostic.Create(Rule, Place.ToLocation(), [.. Arguments.Cast<object>()]);
}

/// <summary>A place in a file.</summary>
internal readonly record struct Place(string File, TextSpan Span, LinePositionSpan Lines)
{
    public static Place Of(Location? location) =>
        location?.SourceTree is null ? default : new Place(location.SourceTree.FilePath, location.SourceSpan, location.GetLineSpan().Span);

    public Location ToLocation() => File is null ? Location.None : Location.Create(File, Span, Lines);
}

/// <summary>What came of one type: code can be written if there is a model, and the messages are to be shown.</summary>
internal sealed record Result(PacketModel? Packet, EquatableArray<DiagnosticInfo> Diagnostics, Place IdPlace) : IEquatable<Result>;

/// <summary>What came of one union.</summary>
internal sealed record UnionResult(UnionModel? Union, EquatableArray<DiagnosticInfo> Diagnostics) : IEquatable<UnionResult>;
