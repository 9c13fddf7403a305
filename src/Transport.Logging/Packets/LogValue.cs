using System;
using System.Globalization;

namespace Transport.Logging;

/// <summary>What a <see cref="LogValue"/> holds.</summary>
public enum LogValueKind
{
    /// <summary>Nothing.</summary>
    Null = 0,

    /// <summary>A text.</summary>
    Text = 1,

    /// <summary>An integer of 64 bits.</summary>
    Integer = 2,

    /// <summary>A floating-point number of 64 bits.</summary>
    Number = 3,

    /// <summary>True or false.</summary>
    Boolean = 4,
}

/// <summary>The value of one property of a log event: a text, an integer, a floating-point number, a truth value or nothing.
/// Immutable.</summary>
/// <remarks>A struct with its numbers inside, so that neither writing nor reading an event boxes one.</remarks>
public readonly struct LogValue : IEquatable<LogValue>
{
    private readonly string? _text;
    private readonly long _bits;

    private LogValue(LogValueKind kind, long bits)
    {
        Kind = kind;
        _bits = bits;
        _text = null;
    }

    /// <summary>Initializes a new instance of the <see cref="LogValue"/> struct with a text.</summary>
    /// <param name="text">The text; null makes the value <see cref="LogValueKind.Null"/>.</param>
    public LogValue(string? text)
    {
        Kind = text is null ? LogValueKind.Null : LogValueKind.Text;
        _text = text;
        _bits = 0;
    }

    /// <summary>Initializes a new instance of the <see cref="LogValue"/> struct with an integer.</summary>
    /// <param name="value">The integer.</param>
    public LogValue(long value)
        : this(LogValueKind.Integer, value)
    {
    }

    /// <summary>Initializes a new instance of the <see cref="LogValue"/> struct with a floating-point number.</summary>
    /// <param name="value">The number; infinities and NaN are allowed.</param>
    public LogValue(double value)
        : this(LogValueKind.Number, BitConverter.DoubleToInt64Bits(value))
    {
    }

    /// <summary>Initializes a new instance of the <see cref="LogValue"/> struct with a truth value.</summary>
    /// <param name="value">The truth value.</param>
    public LogValue(bool value)
        : this(LogValueKind.Boolean, value ? 1 : 0)
    {
    }

    /// <summary>Gets the kind of the value.</summary>
    public LogValueKind Kind { get; }

    /// <summary>Gets the text; null if <see cref="Kind"/> is not <see cref="LogValueKind.Text"/>.</summary>
    public string? Text => _text;

    /// <summary>Gets the integer; 0 if <see cref="Kind"/> is not <see cref="LogValueKind.Integer"/>.</summary>
    public long Integer => Kind == LogValueKind.Integer ? _bits : 0;

    /// <summary>Gets the number; an integer is converted; 0 if <see cref="Kind"/> is neither.</summary>
    public double Number => Kind == LogValueKind.Number ? BitConverter.Int64BitsToDouble(_bits) : Integer;

    /// <summary>Gets a value indicating whether the value is <see cref="LogValueKind.Boolean"/> and true.</summary>
    public bool Boolean => Kind == LogValueKind.Boolean && _bits != 0;

    /// <summary>Converts a text.</summary>
    /// <param name="text">The text, or null.</param>
    public static implicit operator LogValue(string? text) => new(text);

    /// <summary>Converts an integer.</summary>
    /// <param name="value">The integer.</param>
    public static implicit operator LogValue(long value) => new(value);

    /// <summary>Converts a floating-point number.</summary>
    /// <param name="value">The number.</param>
    public static implicit operator LogValue(double value) => new(value);

    /// <summary>Converts a truth value.</summary>
    /// <param name="value">The truth value.</param>
    public static implicit operator LogValue(bool value) => new(value);

    /// <summary>Compares kind and content.</summary>
    /// <param name="left">One value.</param>
    /// <param name="right">The other.</param>
    /// <returns>True if both are equal.</returns>
    public static bool operator ==(LogValue left, LogValue right) => left.Equals(right);

    /// <summary>Compares kind and content.</summary>
    /// <param name="left">One value.</param>
    /// <param name="right">The other.</param>
    /// <returns>True if they differ.</returns>
    public static bool operator !=(LogValue left, LogValue right) => !left.Equals(right);

    /// <summary>Converts any object: texts, integers that fit 64 bits, floating-point numbers and truth values as they are, all else as its
    /// invariant text.</summary>
    /// <param name="value">The object, or null. Elements of a sequence are joined by ", ".</param>
    /// <returns>The value. Never throws: if the object's own ToString does, the text says so.</returns>
    public static LogValue From(object? value) => value switch
    {
        null => default,
        string text => new(text),
        int number => new((long)number),
        long number => new(number),
        bool truth => new(truth),
        double number => new(number),
        float number => new((double)number),
        byte number => new((long)number),
        sbyte number => new((long)number),
        short number => new((long)number),
        ushort number => new((long)number),
        uint number => new((long)number),
        ulong number when number <= long.MaxValue => new((long)number),
        LogValue same => same,
        _ => new(InvariantText.Of(value)),
    };

    /// <summary>Returns the value as an object, for loggers and other code that takes any.</summary>
    /// <returns>A string, long, double or bool, or null.</returns>
    public object? ToObject() => Kind switch
    {
        LogValueKind.Text => _text,
        LogValueKind.Integer => _bits,
        LogValueKind.Number => Number,
        LogValueKind.Boolean => _bits != 0,
        _ => null,
    };

    /// <inheritdoc/>
    public bool Equals(LogValue other) => Kind == other.Kind && _bits == other._bits
        && string.Equals(_text, other._text, StringComparison.Ordinal);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is LogValue other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => (_text is null ? _bits.GetHashCode() : StringComparer.Ordinal.GetHashCode(_text)) ^ (int)Kind;

    /// <summary>Returns the value as invariant text.</summary>
    /// <returns>For example "12", "0.5", "true"; empty for null.</returns>
    public override string ToString() => Kind switch
    {
        LogValueKind.Text => _text!,
        LogValueKind.Integer => _bits.ToString(CultureInfo.InvariantCulture),
        LogValueKind.Number => Number.ToString("R", CultureInfo.InvariantCulture),
        LogValueKind.Boolean => _bits != 0 ? "true" : "false",
        _ => string.Empty,
    };
}
