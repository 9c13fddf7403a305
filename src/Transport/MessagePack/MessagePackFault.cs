using System;
using System.Globalization;

namespace Transport;

/// <summary>The sentences for a body that is not as expected: where, what was expected, what arrived.</summary>
internal static class MessagePackFault
{
    /// <summary>The first byte of a value is not one that the reader can take; also if the body ends instead.</summary>
    public static TransportException Unexpected(ReadOnlySpan<byte> body, int offset, string expected) =>
        Wrong(offset, expected, offset < body.Length ? NameOf(body[offset]) : "the end of the body");

    /// <summary>The value claims more bytes than there are.</summary>
    public static TransportException Short(ReadOnlySpan<byte> body, int offset, long bytes) =>
        Wrong(
            offset,
            $"{MessagePackCode.NameOf(body[offset])} of {bytes.ToString(CultureInfo.InvariantCulture)} bytes in all",
            $"only {(body.Length - offset).ToString(CultureInfo.InvariantCulture)} bytes");

    /// <summary>The container claims more elements than there are bytes for.</summary>
    public static TransportException Crowded(ReadOnlySpan<byte> body, int offset, long values, int left) =>
        Wrong(
            offset,
            $"{MessagePackCode.NameOf(body[offset])} with {values.ToString(CultureInfo.InvariantCulture)} values, each at least 1 byte",
            $"only {left.ToString(CultureInfo.InvariantCulture)} bytes");

    public static TransportException Wrong(int offset, string expected, string actual) =>
        new(TransportFault.PacketMalformed,
            $"At byte {offset.ToString(CultureInfo.InvariantCulture)} of the body: expected {expected}, got {actual}.");

    private static string NameOf(byte code) => $"{MessagePackCode.NameOf(code)} (0x{code.ToString("x2", CultureInfo.InvariantCulture)})";
}
