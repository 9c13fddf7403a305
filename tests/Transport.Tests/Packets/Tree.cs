using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace Transport.Tests.Packets;

/// <summary>An extension in a tree of values.</summary>
internal sealed record Ext(sbyte Type, byte[] Bytes);

/// <summary>A MessagePack value as plain objects: null, bool, long, ulong, double, string, byte[], Ext, DateTimeOffset, object[], and a
/// list of pairs for a map.</summary>
internal static class Tree
{
    public static void Write(ref PacketWriter writer, object? value)
    {
        switch (value)
        {
            case null: writer.WriteNil(); break;
            case bool b: writer.WriteBoolean(b); break;
            case long l: writer.WriteInt(l); break;
            case ulong u: writer.WriteUInt(u); break;
            case double d: writer.WriteDouble(d); break;
            case string s: writer.WriteString(s); break;
            case byte[] bytes: writer.WriteBin(bytes); break;
            case Ext ext: writer.WriteExt(ext.Type, ext.Bytes); break;
            case DateTimeOffset time: writer.WriteTimestamp(time); break;
            case object?[] array:
                writer.WriteArrayHeader(array.Length);
                foreach (object? element in array)
                {
                    Write(ref writer, element);
                }

                break;
            case List<KeyValuePair<object, object?>> map:
                writer.WriteMapHeader(map.Count);
                foreach (KeyValuePair<object, object?> pair in map)
                {
                    Write(ref writer, pair.Key);
                    Write(ref writer, pair.Value);
                }

                break;
            default: throw new ArgumentException(value.GetType().Name, nameof(value));
        }
    }

    public static object? Read(ref PacketReader reader)
    {
        switch (reader.PeekKind())
        {
            case PacketValueKind.Nil: reader.ReadNil(); return null;
            case PacketValueKind.Boolean: return reader.ReadBoolean();
            case PacketValueKind.Integer:
                PacketReader before = reader;
                try
                {
                    return reader.ReadInt64();
                }
                catch (TransportException)
                {
                    reader = before;
                    return reader.ReadUInt64();
                }

            case PacketValueKind.Float: return reader.ReadDouble();
            case PacketValueKind.String: return reader.ReadRequiredString();
            case PacketValueKind.Binary: return reader.ReadBin().ToArray();
            case PacketValueKind.Extension:
                PacketReader start = reader;
                byte[] bytes = reader.ReadExt(out sbyte type).ToArray();
                return type == -1 ? start.ReadTimestamp() : new Ext(type, bytes);
            case PacketValueKind.Array:
                var array = new object?[reader.ReadArrayHeader()];
                for (int i = 0; i < array.Length; i++)
                {
                    array[i] = Read(ref reader);
                }

                return array;
            default:
                var map = new List<KeyValuePair<object, object?>>();
                for (int count = reader.ReadMapHeader(); count > 0; count--)
                {
                    object key = Read(ref reader)!;
                    map.Add(new KeyValuePair<object, object?>(key, Read(ref reader)));
                }

                return map;
        }
    }

    /// <summary>One line that says the value to the bit; the scripts in interop write the same.</summary>
    public static string Describe(object? value) => value switch
    {
        null => "nil",
        bool b => b ? "true" : "false",
        long l => "int " + l.ToString(CultureInfo.InvariantCulture),
        ulong u => "int " + u.ToString(CultureInfo.InvariantCulture),
        double d => "float " + BitConverter.DoubleToInt64Bits(d).ToString("x16", CultureInfo.InvariantCulture),
        string s => "str " + Packed.Hex(Encoding.UTF8.GetBytes(s)),
        byte[] bytes => "bin " + Packed.Hex(bytes),
        Ext ext => "ext " + ext.Type.ToString(CultureInfo.InvariantCulture) + " " + Packed.Hex(ext.Bytes),
        DateTimeOffset time => "time " + DescribeTime(time),
        object?[] array => "[" + string.Join(", ", array.Select(Describe)) + "]",
        List<KeyValuePair<object, object?>> map => "{" + string.Join(", ", map.Select(p => Describe(p.Key) + ": " + Describe(p.Value)))
            + "}",
        _ => throw new ArgumentException(value.GetType().Name, nameof(value)),
    };

    /// <summary>A value at random. Text, keys and numbers are such that every one of the other implementations can say them back.</summary>
    public static object? Random(Random random, int depth)
    {
        switch (random.Next(depth > 0 ? 11 : 9))
        {
            case 0: return random.Next(3) switch { 0 => null, 1 => true, _ => false };
            case 1: return (long)(int)RandomBits(random) >> random.Next(32);
            case 2: return (long)RandomBits(random) >> random.Next(64);
            case 3: return RandomBits(random) | (1UL << 63);
            case 4: return (random.Next() + 0.5) * Math.Pow(2, random.Next(-100, 1));
            case 5: return RandomText(random, random.Next(4) == 0 ? random.Next(2000) : random.Next(40));
            case 6: return RandomBytes(random, random.Next(4) == 0 ? random.Next(70_000) : random.Next(40));
            case 7: return new Ext((sbyte)random.Next(0, 128), RandomBytes(random, random.Next(1, 20)));
            case 8: return new DateTimeOffset((long)(RandomBits(random) % (ulong)DateTimeOffset.MaxValue.Ticks), TimeSpan.Zero);
            case 9: return Enumerable.Range(0, random.Next(20)).Select(_ => Random(random, depth - 1)).ToArray();
            default: return Enumerable.Range(0, random.Next(20))
                .Select(i => new KeyValuePair<object, object?>($"k{i}", Random(random, depth - 1))).ToList();
        }
    }

    private static ulong RandomBits(Random random) => BitConverter.ToUInt64(RandomBytes(random, 8), 0);

    private static byte[] RandomBytes(Random random, int count)
    {
        var bytes = new byte[count];
        random.NextBytes(bytes);
        return bytes;
    }

    private static string RandomText(Random random, int length)
    {
        string[] letters = random.Next(2) == 0 ? ["a", "Z", " "] : ["a", "é", "€", "\ud83d\ude00", "\0", "中"];
        return string.Concat(Enumerable.Range(0, length).Select(_ => letters[random.Next(letters.Length)]));
    }

    private static string DescribeTime(DateTimeOffset time)
    {
        long ticks = time.UtcTicks - new DateTimeOffset(1970, 1, 1, 0, 0, 0, TimeSpan.Zero).Ticks;
        long seconds = (long)Math.Floor(ticks / (decimal)TimeSpan.TicksPerSecond);
        return string.Format(CultureInfo.InvariantCulture, "{0} {1}", seconds, (ticks - (seconds * TimeSpan.TicksPerSecond)) * 100);
    }
}
