using System;
using System.Collections.Generic;

namespace Transport.MSBuild;

/// <summary>The eight kinds of value that a field may hold as MessagePack, which distinguishes them by itself.</summary>
internal static class EventValueCodec
{
    /// <summary>Deeper than any event is (a list of items of metadata: 3), shallower than what a stack minds.</summary>
    private const int Deepest = 16;

    public static void Write(ref PacketWriter writer, object? value)
    {
        switch (value)
        {
            case null:
                writer.WriteNil();
                break;
            case string text:
                writer.WriteTableString(text);
                break;
            case bool flag:
                writer.WriteBoolean(flag);
                break;
            case long number:
                writer.WriteInt(number);
                break;
            case double number:
                writer.WriteDouble(number);
                break;
            case byte[] bytes:
                writer.WriteBin(bytes);
                break;
            case BuildEventMap map:
                WriteMap(ref writer, map);
                break;
            case object?[] list:
                writer.WriteArrayHeader(list.Length);
                foreach (object? one in list)
                {
                    Write(ref writer, one);
                }

                break;
            default:
                throw new InvalidOperationException($"{value.GetType()} is no value of an event; EventValue.Of makes one of it.");
        }
    }

    public static void WriteMap(ref PacketWriter writer, BuildEventMap? map)
    {
        if (map is null)
        {
            writer.WriteNil();
            return;
        }

        writer.BeginTableMap(map.Count);
        foreach (KeyValuePair<string, string?> entry in map.Entries)
        {
            writer.WriteTableString(entry.Key);
            writer.WriteTableString(entry.Value);
        }

        writer.EndTableMap();
    }

    public static object? Read(ref PacketReader reader, int depth = 0)
    {
        switch (reader.PeekKind())
        {
            case PacketValueKind.Nil:
                reader.ReadNil();
                return null;
            case PacketValueKind.String:
                return reader.ReadString();
            case PacketValueKind.Boolean:
                return EventBoxes.Of(reader.ReadBoolean());
            case PacketValueKind.Integer:
                return EventBoxes.Of(reader.ReadInt64());
            case PacketValueKind.Float:
                return reader.ReadDouble();
            case PacketValueKind.Binary:
                return reader.ReadBin().ToArray();
            case PacketValueKind.Map:
                return ReadMap(ref reader);
            case PacketValueKind.Array when depth < Deepest:
                return ReadList(ref reader, depth + 1);
            default:
                throw new TransportException(TransportFault.PacketMalformed, $"A value of a build event: expected nil, a number, text, "
                    + $"bytes, map or array (nested at most {Deepest} deep), {reader.PeekKind()} came at byte {reader.Consumed}.");
        }
    }

    public static BuildEventMap? ReadMap(ref PacketReader reader) => reader.ReadTableMap<BuildEventMap?>(ReadMapOnce);

    private static BuildEventMap? ReadMapOnce(ref PacketReader reader)
    {
        if (!reader.TryReadMapHeader(out int count))
        {
            return null;
        }

        var entries = new KeyValuePair<string, string?>[count];
        for (int i = 0; i < count; i++)
        {
            entries[i] = new(reader.ReadRequiredString(), reader.ReadString());
        }

        return new BuildEventMap(entries);
    }

    public static object?[] ReadList(ref PacketReader reader, int depth)
    {
        var list = new object?[reader.ReadArrayHeader()];
        for (int i = 0; i < list.Length; i++)
        {
            list[i] = Read(ref reader, depth);
        }

        return list;
    }
}
