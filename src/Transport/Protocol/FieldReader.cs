using System;
using System.Collections.Generic;

namespace Transport;

/// <summary>Reads the map of a control or handshake packet by <see cref="FieldTable"/>; unknown keys are skipped.</summary>
/// <remarks>Reused from packet to packet, because an Ack is to allocate nothing. For one thread.</remarks>
internal sealed class FieldReader
{
    private const int MaxWord = 1024;
    private const int LevelCount = 7;

    private readonly long[] _numbers = new long[FieldTable.Fields];
    private readonly object?[] _objects = new object?[FieldTable.Fields];
    private int _present;   // a bit a field

    /// <summary>Returns a number; null if it is missing.</summary>
    public long? Number(Field field) => Has(field) ? _numbers[(int)field] : null;

    /// <summary>Returns a number; 0 if it is missing.</summary>
    public long NumberOrZero(Field field) => Number(field) ?? 0;

    /// <summary>Returns a text; null if it is missing.</summary>
    public string? Text(Field field) => _objects[(int)field] as string;

    /// <summary>Returns binary data; null if it is missing.</summary>
    public byte[]? Bytes(Field field) => _objects[(int)field] as byte[];

    /// <summary>Returns texts; none if they are missing.</summary>
    public IReadOnlyList<string> Words(Field field) => _objects[(int)field] as List<string> ?? [];

    /// <summary>Returns counts by level 0 to 6; null if they are missing.</summary>
    public long[]? Counts(Field field) => _objects[(int)field] as long[];

    /// <summary>Returns levels by text; null if they are missing.</summary>
    public IReadOnlyDictionary<string, PacketLevel>? Levels(Field field) => _objects[(int)field] as Dictionary<string, PacketLevel>;

    /// <summary>Returns names by packet type; null if they are missing.</summary>
    public IReadOnlyDictionary<ushort, string>? Names(Field field) => _objects[(int)field] as Dictionary<ushort, string>;

    /// <summary>Reads a body, already known to be one valid MessagePack value.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no map with string keys; a field of another
    /// type, outside of its range, or missing.</exception>
    public void Read(ushort type, ReadOnlySpan<byte> body)
    {
        _present = 0;
        Array.Clear(_objects, 0, _objects.Length);
        ReadOnlySpan<FieldRule> rules = FieldTable.Of(type);
        var reader = new PacketReader(body);
        for (int left = reader.ReadMapHeader(); left > 0; left--)
        {
            ReadField(type, rules, ref reader);
        }

        foreach (FieldRule rule in rules)
        {
            if (rule.Need == FieldNeed.Required && !Has(rule.Field))
            {
                throw Malformed(type, $"the field {FieldTable.NameOf(rule.Field)} is missing");
            }
        }
    }

    private static TransportException Malformed(ushort type, string what) => new(
        TransportFault.PacketMalformed, $"A {(type <= ControlType.Reject ? "handshake" : "control")} packet (type {type}): {what}.");

    private static void Check(ushort type, in FieldRule rule, long value, string unit = "")
    {
        if (value < rule.Least || value > rule.Most)
        {
            string expected = rule.Least == rule.Most ? $"{rule.Least}"
                : rule.Most == long.MaxValue ? $"{rule.Least} or more"
                : rule.Least == long.MinValue ? $"at most {rule.Most}"
                : $"{rule.Least} to {rule.Most}";
            throw Malformed(type, $"the field {FieldTable.NameOf(rule.Field)} is {value}{unit}; expected {expected}{unit}");
        }
    }

    private static string ReadText(ushort type, in FieldRule rule, ref PacketReader reader)
    {
        string text = reader.ReadRequiredString();
        Check(type, rule, text.Length, " characters");
        return rule.Kind != FieldKind.NodeName || NodeName.IsValid(text)
            ? text
            : throw Malformed(type, $"the field {FieldTable.NameOf(rule.Field)} is no name: 1 to 64 characters of A-Z a-z 0-9 . _ -");
    }

    private static long ReadNumber(ref PacketReader reader)
    {
        try
        {
            return reader.ReadInt64();
        }
        catch (TransportException)
        {
            // The reader still stands before the value: a larger unsigned one, or no number.
            reader.ReadUInt64();
            return long.MaxValue;
        }
    }

    private static long[] ReadCounts(ushort type, in FieldRule rule, ref PacketReader reader)
    {
        long[] counts = new long[LevelCount];
        for (int left = reader.ReadMapHeader(); left > 0; left--)
        {
            long level = reader.ReadInt64();
            long count = reader.ReadInt64();
            if (count < 0)
            {
                throw Malformed(type, $"the field {FieldTable.NameOf(rule.Field)} counts {count}; expected 0 or more");
            }

            if (level is >= 0 and < LevelCount)
            {
                counts[level] = count;
            }
        }

        return counts;
    }

    private static Dictionary<string, PacketLevel> ReadLevels(ushort type, in FieldRule rule, ref PacketReader reader)
    {
        var levels = new Dictionary<string, PacketLevel>(StringComparer.OrdinalIgnoreCase);
        for (int left = reader.ReadMapHeader(); left > 0; left--)
        {
            string text = reader.ReadRequiredString();
            long level = ReadNumber(ref reader);
            Check(type, rule, level);
            levels[text] = (PacketLevel)level;
            if (text.Length > LevelRules.MaxCategoryLength || levels.Count > LevelRules.MaxCategories + 1)
            {
                string limits = $"at most {LevelRules.MaxCategories} texts of at most {LevelRules.MaxCategoryLength} characters";
                throw Malformed(type, $"the field {FieldTable.NameOf(rule.Field)} has too much; expected {limits}");
            }
        }

        return levels;
    }

    private static Dictionary<ushort, string> ReadNames(ushort type, in FieldRule rule, ref PacketReader reader)
    {
        var names = new Dictionary<ushort, string>();
        for (int left = reader.ReadMapHeader(); left > 0; left--)
        {
            long number = ReadNumber(ref reader);
            string name = reader.ReadRequiredString();
            if (number is < 0 or > ushort.MaxValue || name.Length > FieldTable.MaxName || names.Count == rule.Most)
            {
                string limits = $"at most {rule.Most} types of 0 to {ushort.MaxValue} with at most {FieldTable.MaxName} characters each";
                throw Malformed(type, $"the field {FieldTable.NameOf(rule.Field)} has something else; expected {limits}");
            }

            names[(ushort)number] = name;
        }

        return names;
    }

    private List<string> ReadWords(ushort type, in FieldRule rule, ref PacketReader reader)
    {
        List<string> words = _objects[(int)rule.Field] as List<string> ?? [];
        for (int left = reader.ReadArrayHeader(); left > 0; left--)
        {
            string word = reader.ReadRequiredString();
            words.Add(word);
            if (word.Length > MaxWord || words.Count > rule.Most)
            {
                string limits = $"at most {rule.Most} words of at most {MaxWord} characters";
                throw Malformed(type, $"the field {FieldTable.NameOf(rule.Field)} has too much; expected {limits}");
            }
        }

        return words;
    }

    private bool Has(Field field) => (_present & (1 << (int)field)) != 0;

    private void ReadField(ushort type, ReadOnlySpan<FieldRule> rules, ref PacketReader reader)
    {
        ReadOnlySpan<byte> key = reader.ReadUtf8();
        foreach (FieldRule rule in rules)
        {
            if (key.SequenceEqual(FieldTable.KeyOf(rule.Field)))
            {
                if (rule.Need == FieldNeed.Optional && reader.TryReadNil())
                {
                    return;
                }

                ReadValue(type, rule, ref reader);
                _present |= 1 << (int)rule.Field;
                return;
            }
        }

        reader.Skip();
    }

    private void ReadValue(ushort type, in FieldRule rule, ref PacketReader reader)
    {
        int index = (int)rule.Field;
        switch (rule.Kind)
        {
            case FieldKind.Number:
                _numbers[index] = ReadNumber(ref reader);
                Check(type, rule, _numbers[index]);
                break;
            case FieldKind.Text or FieldKind.NodeName:
                _objects[index] = ReadText(type, rule, ref reader);
                break;
            case FieldKind.Bytes:
                ReadOnlySpan<byte> bytes = reader.ReadBin();
                Check(type, rule, bytes.Length, " bytes");
                _objects[index] = bytes.ToArray();
                break;
            case FieldKind.Words:
                _objects[index] = ReadWords(type, rule, ref reader);
                break;
            case FieldKind.NamesByType:
                _objects[index] = ReadNames(type, rule, ref reader);
                break;
            case FieldKind.LevelsByText:
                _objects[index] = ReadLevels(type, rule, ref reader);
                break;
            default:
                _objects[index] = ReadCounts(type, rule, ref reader);
                break;
        }
    }
}
