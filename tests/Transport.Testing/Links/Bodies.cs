using System;
using System.Collections.Generic;

namespace Transport.Testing.Links;

/// <summary>MessagePack bodies from plain values and back, for tests that speak the wire themselves.</summary>
internal static class Bodies
{
    /// <summary>Makes a map with string keys.</summary>
    public static byte[] Map(params (string Key, object? Value)[] fields)
    {
        var output = new ArrayWriter();
        var writer = new PacketWriter(output);
        writer.WriteMapHeader(fields.Length);
        foreach ((string key, object? value) in fields)
        {
            writer.WriteString(key);
            Write(ref writer, value);
        }

        writer.Flush();
        return output.Written.ToArray();
    }

    /// <summary>Makes one value.</summary>
    public static byte[] Value(object? value)
    {
        var output = new ArrayWriter();
        var writer = new PacketWriter(output);
        Write(ref writer, value);
        writer.Flush();
        return output.Written.ToArray();
    }

    /// <summary>Makes a bin value of exactly so many bytes in all, header included; at least 2, but not 258 to 259 nor 65,539.</summary>
    public static byte[] OfSize(int size)
    {
        int header = size < 258 ? 2 : size < 65_539 ? 3 : 5;
        return Value(new byte[size - header]);
    }

    /// <summary>Reads a map with string keys; values are long, string, byte[], bool, null, or a dictionary by their text.</summary>
    public static Dictionary<string, object?> ReadMap(byte[] body)
    {
        var reader = new PacketReader(body);
        return ReadMap(ref reader);
    }

    private static Dictionary<string, object?> ReadMap(ref PacketReader reader)
    {
        var map = new Dictionary<string, object?>(StringComparer.Ordinal);
        int count = reader.ReadMapHeader();
        for (int i = 0; i < count; i++)
        {
            string key = reader.PeekKind() == PacketValueKind.Integer
                ? reader.ReadInt64().ToString(System.Globalization.CultureInfo.InvariantCulture) : reader.ReadRequiredString();
            map[key] = Read(ref reader);
        }

        return map;
    }

    private static object? Read(ref PacketReader reader)
    {
        switch (reader.PeekKind())
        {
            case PacketValueKind.Nil:
                reader.ReadNil();
                return null;
            case PacketValueKind.Boolean:
                return reader.ReadBoolean();
            case PacketValueKind.Integer:
                return reader.ReadInt64();
            case PacketValueKind.String:
                return reader.ReadRequiredString();
            case PacketValueKind.Binary:
                return reader.ReadBin().ToArray();
            case PacketValueKind.Map:
                return ReadMap(ref reader);
            case PacketValueKind.Array:
                var list = new List<object?>();
                for (int left = reader.ReadArrayHeader(); left > 0; left--)
                {
                    list.Add(Read(ref reader));
                }

                return list.ToArray();
            default:
                reader.Skip();
                return "?";
        }
    }

    private static void Write(ref PacketWriter writer, object? value)
    {
        switch (value)
        {
            case null:
                writer.WriteNil();
                break;
            case bool truth:
                writer.WriteBoolean(truth);
                break;
            case int number:
                writer.WriteInt(number);
                break;
            case long number:
                writer.WriteInt(number);
                break;
            case string text:
                writer.WriteString(text);
                break;
            case byte[] bytes:
                writer.WriteBin(bytes);
                break;
            case object?[] items:
                writer.WriteArrayHeader(items.Length);
                foreach (object? item in items)
                {
                    Write(ref writer, item);
                }

                break;
            case IReadOnlyDictionary<int, object?> map:
                writer.WriteMapHeader(map.Count);
                foreach (KeyValuePair<int, object?> entry in map)
                {
                    writer.WriteInt(entry.Key);
                    Write(ref writer, entry.Value);
                }

                break;
            default:
                throw new ArgumentException($"{value.GetType()} is not written here.", nameof(value));
        }
    }
}
