using System;
using System.Linq;

namespace Transport;

/// <summary>A packet for which there was no handler: what shows a person which packet it is. Immutable.</summary>
internal sealed class UnhandledPacket
{
    /// <summary>How many of its first bytes are kept.</summary>
    private const int MostBytes = 16;

    private readonly byte[] _begin;
    private readonly int _length;

    /// <summary>Initializes a new instance of the <see cref="UnhandledPacket"/> class.</summary>
    /// <param name="type">Its type.</param>
    /// <param name="body">Its body; what is shown is copied.</param>
    public UnhandledPacket(ushort type, ReadOnlySpan<byte> body)
    {
        Type = type;
        _length = body.Length;
        _begin = body.Slice(0, Math.Min(MostBytes, body.Length)).ToArray();
    }

    /// <summary>Gets its type.</summary>
    public ushort Type { get; }

    /// <summary>Returns its length and its first bytes: <c>5 B, ce 00 00 00 01</c>.</summary>
    public override string ToString() => FormattableString.Invariant(
        $"{_length} B, {string.Join(" ", _begin.Select(one => one.ToString("x2", System.Globalization.CultureInfo.InvariantCulture)))}")
        + (_length > MostBytes ? " …" : string.Empty);
}
