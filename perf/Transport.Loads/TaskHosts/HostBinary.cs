using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

namespace Transport.Loads.TaskHosts;

/// <summary>The packets of task hosts as MSBuild writes its own: BinaryWriter, every text in full.</summary>
internal static class HostBinary
{
    /// <summary>The header of a packet: its type, and how long its body is.</summary>
    public const int HeaderSize = 5;

    private const byte Request = 1, Response = 2, Log = 3;

    /// <summary>How many bytes an item has.</summary>
    public static int SizeOf(HostItem item) =>
        SizeOf(item.Spec) + sizeof(int) + item.Metadata.Sum(pair => SizeOf(pair.Key) + SizeOf(pair.Value));

    private static byte TypeOf(object packet) => packet switch { HostRequest => Request, HostResponse => Response, _ => Log };

    /// <summary>Writes a packet with its header in front, in place of what the stream holds.</summary>
    public static void Frame(MemoryStream stream, BinaryWriter writer, object packet)
    {
        stream.SetLength(HeaderSize);
        stream.Position = HeaderSize;
        Write(writer, packet);
        writer.Flush();
        byte[] bytes = stream.GetBuffer();
        bytes[0] = TypeOf(packet);
        BitConverter.TryWriteBytes(bytes.AsSpan(1), (int)stream.Length - HeaderSize);
    }

    public static object Read(byte type, byte[] body, int length)
    {
        using var reader = new BinaryReader(new MemoryStream(body, 0, length), Encoding.UTF8);
        return Read(type, reader);
    }

    private static void Write(BinaryWriter writer, object packet)
    {
        switch (packet)
        {
            case HostRequest request:
                writer.Write(request.Number);
                writer.Write(request.Task);
                Write(writer, request.Environment);
                Write(writer, request.Items);
                break;
            case HostResponse response:
                writer.Write(response.Number);
                Write(writer, response.Items);
                break;
            case HostLog log:
                writer.Write(log.Number);
                writer.Write(log.Text);
                break;
        }
    }

    private static object Read(byte type, BinaryReader reader) => type switch
    {
        Request => new HostRequest(reader.ReadInt32(), reader.ReadString(), ReadMap(reader), ReadItems(reader)),
        Response => new HostResponse(reader.ReadInt32(), ReadItems(reader)),
        Log => new HostLog(reader.ReadInt32(), reader.ReadString()),
        _ => throw new LoadException($"A packet of type {type}."),
    };

    private static void Write(BinaryWriter writer, HostItem[] items)
    {
        writer.Write(items.Length);
        foreach (HostItem item in items)
        {
            writer.Write(item.Spec);
            Write(writer, item.Metadata);
        }
    }

    public static void Write(BinaryWriter writer, Dictionary<string, string> map)
    {
        writer.Write(map.Count);
        foreach ((string key, string value) in map)
        {
            writer.Write(key);
            writer.Write(value);
        }
    }

    private static HostItem[] ReadItems(BinaryReader reader)
    {
        var items = new HostItem[reader.ReadInt32()];
        for (int i = 0; i < items.Length; i++)
        {
            items[i] = new HostItem(reader.ReadString(), ReadMap(reader));
        }

        return items;
    }

    public static Dictionary<string, string> ReadMap(BinaryReader reader)
    {
        int count = reader.ReadInt32();
        var map = new Dictionary<string, string>(count, StringComparer.Ordinal);
        for (int i = 0; i < count; i++)
        {
            map.Add(reader.ReadString(), reader.ReadString());
        }

        return map;
    }

    private static int SizeOf(string text)
    {
        int bytes = Encoding.UTF8.GetByteCount(text);
        return bytes + (bytes < 0x80 ? 1 : bytes < 0x4000 ? 2 : 3);
    }
}
