using System;
using System.Buffers;
using System.Collections.Generic;

namespace Transport.Tool;

/// <summary>The body of a control packet, a map, read and written with nothing of the library's own knowledge of it.</summary>
internal static class ControlFields
{
    /// <summary>Reads a map with text keys: numbers as long, texts, bytes, and arrays of texts; other values as null.</summary>
    /// <exception cref="TransportException">It is no such map.</exception>
    public static Dictionary<string, object?> Read(byte[] body)
    {
        var reader = new PacketReader(body);
        int count = reader.ReadMapHeader();
        var fields = new Dictionary<string, object?>(StringComparer.Ordinal);
        for (int i = 0; i < count; i++)
        {
            string key = reader.ReadRequiredString();
            fields[key] = ReadValue(ref reader);
        }

        reader.ReadEnd();
        return fields;
    }

    /// <summary>Writes a map of texts, long numbers and null.</summary>
    public static byte[] Write(params (string Key, object? Value)[] fields)
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = new PacketWriter(output);
        writer.WriteMapHeader(fields.Length);
        foreach ((string key, object? value) in fields)
        {
            writer.WriteString(key);
            if (value is long number)
            {
                writer.WriteInt(number);
            }
            else if (value is string[] words)
            {
                writer.WriteArrayHeader(words.Length);
                foreach (string word in words)
                {
                    writer.WriteString(word);
                }
            }
            else
            {
                writer.WriteString(value as string);
            }
        }

        writer.Flush();
        return output.WrittenSpan.ToArray();
    }

    private static object? ReadValue(ref PacketReader reader)
    {
        switch (reader.PeekKind())
        {
            case PacketValueKind.Integer:
                return reader.ReadInt64();
            case PacketValueKind.String:
                return reader.ReadString();
            case PacketValueKind.Binary:
                return reader.ReadBin().ToArray();
            case PacketValueKind.Array:
                string?[] items = new string?[reader.ReadArrayHeader()];
                for (int i = 0; i < items.Length; i++)
                {
                    items[i] = ReadValue(ref reader) as string;
                }

                return items;
            default:
                reader.Skip();
                return null;
        }
    }
}
