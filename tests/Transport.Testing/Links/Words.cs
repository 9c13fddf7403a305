using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;

namespace Transport.Testing.Links;

/// <summary>A packet of tests that uses the link's tables: texts, maps of texts, and bytes that make it large.</summary>
/// <param name="Texts">Texts.</param>
/// <param name="Maps">Maps.</param>
/// <param name="Padding">Bytes.</param>
public sealed record Words(string[] Texts, KeyValuePair<string, string>[][] Maps, byte[] Padding)
{
    /// <summary>Gets the type: the last one of build packets.</summary>
    public static PacketType<Words> Type { get; } = new(575, "Words", new Formatter(), usesTables: true);

    /// <summary>Gets the type of an application's packet of the same shape, which uses tables too.</summary>
    public static PacketType<Words> Application { get; } = new(1024, "ApplicationWords", new Formatter(), usesTables: true);

    /// <summary>Makes a packet of texts alone.</summary>
    public static Words Of(params string[] texts) => new(texts, [], []);

    /// <summary>Makes a packet of one map.</summary>
    public static Words OfMap(params (string Name, string Text)[] map) =>
        new([], [[.. map.Select(m => new KeyValuePair<string, string>(m.Name, m.Text))]], []);

    /// <summary>Says all that it holds, to be compared.</summary>
    public string Show() =>
        $"{string.Join("|", Texts)} {string.Join("|", Maps.Select(m => string.Join(",", m.Select(e => e.Key + "=" + e.Value))))} "
            + $"{Padding.Length}:{Padding.Sum(b => (long)b)}";

    private sealed class Formatter : IPacketFormatter<Words>
    {
        public void Write(IBufferWriter<byte> output, Words packet)
        {
            var writer = new PacketWriter(output);
            writer.WriteArrayHeader(3);
            writer.WriteArrayHeader(packet.Texts.Length);
            foreach (string text in packet.Texts)
            {
                if (text == "throw")
                {
                    throw new FormatException("as asked");
                }

                writer.WriteTableString(text);
            }

            writer.WriteArrayHeader(packet.Maps.Length);
            foreach (KeyValuePair<string, string>[] map in packet.Maps)
            {
                writer.BeginTableMap(map.Length);
                foreach (KeyValuePair<string, string> entry in map)
                {
                    writer.WriteTableString(entry.Key);
                    writer.WriteTableString(entry.Value);
                }

                if (map.Length > 0 && map[0].Key == "no end")
                {
                    break;
                }

                writer.EndTableMap();
            }

            writer.WriteBin(packet.Padding);
            writer.Flush();
        }

        public Words Read(in ReadOnlySequence<byte> body)
        {
            var reader = new PacketReader(body);
            reader.ReadArrayHeader(3);
            string[] texts = new string[reader.ReadArrayHeader()];
            for (int i = 0; i < texts.Length; i++)
            {
                texts[i] = reader.ReadRequiredString();
            }

            var maps = new KeyValuePair<string, string>[reader.ReadArrayHeader()][];
            for (int i = 0; i < maps.Length; i++)
            {
                maps[i] = reader.ReadTableMap(ReadMap);
            }

            return new Words(texts, maps, reader.ReadBin().ToArray());
        }

        private static KeyValuePair<string, string>[] ReadMap(ref PacketReader reader)
        {
            var map = new KeyValuePair<string, string>[reader.ReadMapHeader()];
            for (int i = 0; i < map.Length; i++)
            {
                map[i] = new KeyValuePair<string, string>(reader.ReadRequiredString(), reader.ReadRequiredString());
            }

            return map;
        }
    }
}
