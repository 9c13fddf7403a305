using System;
using System.Diagnostics;
using System.Security.Cryptography;

namespace Transport;

/// <summary>The 32 bytes that let one connection in, once. Never shown: <see cref="ToString"/> says nothing.</summary>
[DebuggerDisplay("(secret)")]
public sealed class LinkSecret
{
    /// <summary>The length in bytes (PROTOCOL.md, Hello).</summary>
    public const int Length = 32;

    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    private readonly byte[] _bytes;

    private LinkSecret(byte[] bytes) => _bytes = bytes;

    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    internal ReadOnlySpan<byte> Bytes => _bytes;

    /// <summary>Makes a new one from the system's random source.</summary>
    /// <returns>A secret nobody else has.</returns>
    public static LinkSecret Create()
    {
        var bytes = new byte[Length];
        using RandomNumberGenerator random = RandomNumberGenerator.Create();
        random.GetBytes(bytes);
        return new LinkSecret(bytes);
    }

    /// <summary>Reads the 64 hex digits of <c>TRANSPORT_SECRET</c>.</summary>
    /// <param name="hex">64 hex digits of either case.</param>
    /// <returns>The secret.</returns>
    /// <exception cref="FormatException">Not 64 hex digits. The message does not repeat them.</exception>
    public static LinkSecret Parse(string? hex)
    {
        var bytes = new byte[Length];
        bool valid = hex is { Length: 2 * Length };
        for (int i = 0; valid && i < Length; i++)
        {
            int high = Digit(hex![2 * i]);
            int low = Digit(hex[(2 * i) + 1]);
            valid = (high | low) >= 0;
            bytes[i] = (byte)((high << 4) | (low & 15));
        }

        return valid
            ? new LinkSecret(bytes)
            : throw new FormatException($"A secret is {2 * Length} hex digits; {What(hex)}.");
    }

    private static string What(string? hex) => hex is null ? "none was given" : $"{hex.Length} characters came, or not all are hex digits";

    /// <summary>Returns the 64 hex digits for <c>TRANSPORT_SECRET</c>. Keep them out of logs and command lines.</summary>
    /// <returns>64 lower-case hex digits.</returns>
    public string Reveal()
    {
        const string Digits = "0123456789abcdef";
        var text = new char[2 * Length];
        for (int i = 0; i < Length; i++)
        {
            text[2 * i] = Digits[_bytes[i] >> 4];
            text[(2 * i) + 1] = Digits[_bytes[i] & 15];
        }

        return new string(text);
    }

    /// <inheritdoc/>
    public override string ToString() => "(secret)";

    /// <summary>Compares in a time that depends on the length alone.</summary>
    internal static bool AreEqual(ReadOnlySpan<byte> a, ReadOnlySpan<byte> b)
    {
        if (a.Length != b.Length)
        {
            return false;
        }

        int difference = 0;
        for (int i = 0; i < a.Length; i++)
        {
            difference |= a[i] ^ b[i];
        }

        return difference == 0;
    }

    private static int Digit(char c) => c switch
    {
        >= '0' and <= '9' => c - '0',
        >= 'a' and <= 'f' => c - 'a' + 10,
        >= 'A' and <= 'F' => c - 'A' + 10,
        _ => -1,
    };
}
