using System;
using System.Buffers;
using System.Collections.Generic;
using MessagePack;
using NUnit.Framework;

namespace Transport.MessagePackTests;

/// <summary>Reads values with MessagePack-CSharp into what .NET has for them, and writes them with MessagePack-CSharp from that.</summary>
internal static class Rewriting
{
    /// <summary>Reads one whole value and writes it again.</summary>
    /// <returns>The new bytes; each number, text and header in its shortest form, as MessagePack-CSharp writes them. Only a bin whose
    /// length has four bytes keeps them: a packet inside a packet has, because its length is put in front of it last.</returns>
    public static byte[] Of(byte[] body)
    {
        var output = new ArrayWriter();
        var reader = new MessagePackReader(body);
        var writer = new MessagePackWriter(output);
        Copy(ref reader, ref writer);
        writer.Flush();
        Assert.That(reader.End, Is.True, "one value, and nothing behind it");
        return output.Written.ToArray();
    }

    /// <summary>Reads frames, and puts the bodies of packets together.</summary>
    /// <returns>Type and body of each packet, in the order in which they ended.</returns>
    public static List<(int Type, byte[] Body)> Packets(byte[] stream)
    {
        var packets = new List<(int Type, byte[] Body)>();
        var begun = new Dictionary<int, List<byte>>();
        var reader = new MessagePackReader(stream);
        while (!reader.End)
        {
            Assert.That(reader.ReadArrayHeader(), Is.EqualTo(3), "a frame");
            byte lane = reader.ReadByte();
            int type = reader.ReadUInt16();
            byte[] chunk = reader.ReadBytes()!.Value.ToArray();
            if (!begun.TryGetValue(lane & 3, out List<byte>? body))
            {
                begun[lane & 3] = body = [];
            }

            body.AddRange(chunk);
            if ((lane & 0x40) == 0)
            {
                packets.Add((type, [.. body]));
                begun.Remove(lane & 3);
            }
        }

        return packets;
    }

    private static void Copy(ref MessagePackReader reader, ref MessagePackWriter writer)
    {
        switch (reader.NextMessagePackType)
        {
            case MessagePackType.Nil:
                reader.ReadNil();
                writer.WriteNil();
                break;
            case MessagePackType.Boolean:
                writer.Write(reader.ReadBoolean());
                break;
            case MessagePackType.Integer when reader.NextCode is MessagePackCode.UInt64:
                writer.Write(reader.ReadUInt64());
                break;
            case MessagePackType.Integer:
                writer.Write(reader.ReadInt64());
                break;
            case MessagePackType.Float when reader.NextCode is MessagePackCode.Float32:
                writer.Write(reader.ReadSingle());
                break;
            case MessagePackType.Float:
                writer.Write(reader.ReadDouble());
                break;
            case MessagePackType.String:
                writer.Write(reader.ReadString());
                break;
            case MessagePackType.Binary when reader.NextCode is MessagePackCode.Bin32:
                byte[] packet = reader.ReadBytes()!.Value.ToArray();
                writer.WriteRaw([MessagePackCode.Bin32]);
                writer.WriteRaw(BitConverter.GetBytes(System.Net.IPAddress.HostToNetworkOrder(packet.Length)));
                writer.WriteRaw(packet);
                break;
            case MessagePackType.Binary:
                writer.Write(reader.ReadBytes()!.Value.ToArray());
                break;
            case MessagePackType.Extension:
                CopyExtension(ref reader, ref writer);
                break;
            case MessagePackType.Array:
                int elements = reader.ReadArrayHeader();
                writer.WriteArrayHeader(elements);
                CopyEach(ref reader, ref writer, elements);
                break;
            case MessagePackType.Map:
                int pairs = reader.ReadMapHeader();
                writer.WriteMapHeader(pairs);
                CopyEach(ref reader, ref writer, 2 * pairs);
                break;
            default:
                throw new InvalidOperationException($"MessagePack-CSharp knows no {reader.NextMessagePackType}.");
        }
    }

    private static void CopyEach(ref MessagePackReader reader, ref MessagePackWriter writer, int values)
    {
        for (int i = 0; i < values; i++)
        {
            Copy(ref reader, ref writer);
        }
    }

    private static void CopyExtension(ref MessagePackReader reader, ref MessagePackWriter writer)
    {
        MessagePackReader peek = reader.CreatePeekReader();
        if (peek.ReadExtensionFormatHeader().TypeCode == ReservedMessagePackExtensionTypeCode.DateTime)
        {
            writer.Write(reader.ReadDateTime());
            return;
        }

        writer.WriteExtensionFormat(reader.ReadExtensionFormat());
    }
}
