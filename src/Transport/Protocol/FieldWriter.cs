using System;
using System.Buffers;
using System.Collections.Generic;

namespace Transport;

/// <summary>Writes the map of a control or handshake packet: its fields by name, in the order of the calls.</summary>
internal ref struct FieldWriter
{
    private PacketWriter _writer;

    /// <summary>Initializes a new instance of the <see cref="FieldWriter"/> struct.</summary>
    /// <param name="output">The packet's body.</param>
    /// <param name="count">How many fields follow.</param>
    public FieldWriter(IBufferWriter<byte> output, int count)
    {
        _writer = new PacketWriter(output);
        _writer.WriteMapHeader(count);
    }

    public void Number(Field field, long value)
    {
        _writer.WriteUtf8(FieldTable.KeyOf(field));
        _writer.WriteInt(value);
    }

    public void Text(Field field, string? value)
    {
        _writer.WriteUtf8(FieldTable.KeyOf(field));
        _writer.WriteString(value);
    }

    public void Bytes(Field field, ReadOnlySpan<byte> value)
    {
        _writer.WriteUtf8(FieldTable.KeyOf(field));
        _writer.WriteBin(value);
    }

    public void Words(Field field, IReadOnlyCollection<string> value)
    {
        _writer.WriteUtf8(FieldTable.KeyOf(field));
        _writer.WriteArrayHeader(value.Count);
        foreach (string word in value)
        {
            _writer.WriteString(word);
        }
    }

    /// <summary>Writes names by packet type.</summary>
    public void Names(Field field, IReadOnlyCollection<PacketType> value)
    {
        _writer.WriteUtf8(FieldTable.KeyOf(field));
        _writer.WriteMapHeader(value.Count);
        foreach (PacketType one in value)
        {
            _writer.WriteInt(one.Id);
            _writer.WriteString(one.Name.Length <= FieldTable.MaxName ? one.Name : one.Name.Substring(0, FieldTable.MaxName));
        }
    }

    /// <summary>Writes counts by level, the index being the level; those of 0 are left out.</summary>
    public void Counts(Field field, ReadOnlySpan<long> value)
    {
        int levels = 0;
        foreach (long count in value)
        {
            levels += count > 0 ? 1 : 0;
        }

        _writer.WriteUtf8(FieldTable.KeyOf(field));
        _writer.WriteMapHeader(levels);
        for (int level = 0; level < value.Length; level++)
        {
            if (value[level] > 0)
            {
                _writer.WriteInt(level);
                _writer.WriteInt(value[level]);
            }
        }
    }

    /// <summary>Writes levels by text.</summary>
    public void Levels(Field field, IEnumerable<KeyValuePair<string, PacketLevel>> value, int count)
    {
        _writer.WriteUtf8(FieldTable.KeyOf(field));
        _writer.WriteMapHeader(count);
        foreach (KeyValuePair<string, PacketLevel> pair in value)
        {
            _writer.WriteString(pair.Key);
            _writer.WriteInt((long)pair.Value);
        }
    }

    /// <summary>Hands the bytes over; once, at the end.</summary>
    public void Flush() => _writer.Flush();
}
