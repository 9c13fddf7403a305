using System;
using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Transport.Generator.Model;

namespace Transport.Generator.Analysis;

/// <summary>Constants as code.</summary>
internal static class Literals
{
    /// <summary>The default that a parameter names; null if it names none, or one that is the type's own.</summary>
    public static string? DefaultOf(IParameterSymbol parameter, TypeModel type) =>
        parameter.HasExplicitDefaultValue && parameter.ExplicitDefaultValue is { } value ? $"({type.Bare})({Of(value)})" : null;

    private static string Of(object value) => value switch
    {
        bool b => b ? "true" : "false",
        char c => ((int)c).ToString(CultureInfo.InvariantCulture),
        string s => SymbolDisplay.FormatLiteral(s, quote: true),
        float f when float.IsNaN(f) || float.IsInfinity(f) => "float." + Special(f),
        double d when double.IsNaN(d) || double.IsInfinity(d) => "double." + Special(d),
        float f => f.ToString("R", CultureInfo.InvariantCulture) + "F",
        double d => d.ToString("R", CultureInfo.InvariantCulture) + "D",
        decimal m => m.ToString(CultureInfo.InvariantCulture) + "M",
        IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
        _ => "default",
    };

    private static string Special(double value) =>
        double.IsNaN(value) ? "NaN" : value > 0 ? "PositiveInfinity" : "NegativeInfinity";
}
