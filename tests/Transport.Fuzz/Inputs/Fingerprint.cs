using System;
using System.Buffers.Binary;

namespace Transport.Fuzz.Inputs;

/// <summary>Numbers that stand for what happened (FNV-1a over 64 bits): compared between two ways of doing the same, and kept to know what
/// is new.</summary>
internal struct Fingerprint
{
    private const ulong Start = 0xcbf29ce484222325;
    private const ulong Prime = 0x100000001b3;
    private ulong _hash;

    public readonly ulong Value => _hash ^ Start;

    public static ulong Of(ReadOnlySpan<byte> bytes)
    {
        Fingerprint print = default;
        print.Add(bytes);
        return print.Value;
    }

    public static ulong Of(string text)
    {
        Fingerprint print = default;
        print.Add(text);
        return print.Value;
    }

    /// <summary>Stands for a sentence whatever the numbers in it.</summary>
    public static ulong OfShape(string sentence)
    {
        Fingerprint print = default;
        foreach (char c in sentence)
        {
            if (c is < '0' or > '9')
            {
                print.Step(c);
            }
        }

        return print.Value;
    }

    public void Add(ReadOnlySpan<byte> bytes)
    {
        int length = bytes.Length;
        for (; bytes.Length >= sizeof(ulong); bytes = bytes.Slice(sizeof(ulong)))
        {
            ulong word = BinaryPrimitives.ReadUInt64LittleEndian(bytes);
            Step(word ^ (word >> 32));   // the product alone carries nothing downwards
        }

        foreach (byte b in bytes)
        {
            Step(b);
        }

        Add(length);
    }

    public void Add(string text)
    {
        foreach (char c in text)
        {
            Step(c);
        }

        Add(text.Length);
    }

    public void Add(long number)
    {
        Step((ulong)number & 0xffffffff);
        Step((ulong)number >> 32);
    }

    private void Step(ulong value) => _hash = ((_hash ^ Start ^ value) * Prime) ^ Start;
}
