using System;
using System.Text;

namespace Transport.Logging;

/// <summary>The value of a property. Ours are scalars; what other senders nest or write as bytes arrives as text, because a log event is
/// for reading.</summary>
internal static class ValueFormat
{
    // Extension types 1 and 2 stand for table entries (PROTOCOL.md); the reader follows those that the link knows.
    private const sbyte StringRef = 1;
    private const sbyte MapRef = 2;
    private const sbyte Timestamp = -1;

    /// <summary>The longest text that is made of a value, in characters: a reference of 3 bytes may stand for a text of megabytes, and come
    /// as often as the packet has capacity.</summary>
    private const int Longest = 32 << 20;

    public static void Write(ref PacketWriter writer, LogValue value)
    {
        switch (value.Kind)
        {
            case LogValueKind.Text:
                writer.WriteTableString(value.Text, mayBeUnique: true);
                break;
            case LogValueKind.Integer:
                writer.WriteInt(value.Integer);
                break;
            case LogValueKind.Number:
                writer.WriteDouble(value.Number);
                break;
            case LogValueKind.Boolean:
                writer.WriteBoolean(value.Boolean);
                break;
            default:
                writer.WriteNil();
                break;
        }
    }

    public static LogValue Read(ref PacketReader reader) => reader.PeekKind() switch
    {
        PacketValueKind.String => new LogValue(reader.ReadRequiredString()),
        PacketValueKind.Integer => ReadInteger(ref reader),
        PacketValueKind.Float => new LogValue(reader.ReadDouble()),
        PacketValueKind.Boolean => new LogValue(reader.ReadBoolean()),
        PacketValueKind.Nil => ReadNil(ref reader),
        _ => ReadAsText(ref reader),
    };

    private static LogValue ReadNil(ref PacketReader reader)
    {
        reader.ReadNil();
        return default;
    }

    private static LogValue ReadInteger(ref PacketReader reader)
    {
        PacketReader ahead = reader;
        if (IsBeyondInt64(reader.ReadRaw()))
        {
            return new LogValue(ahead.ReadUInt64().ToString(System.Globalization.CultureInfo.InvariantCulture));
        }

        return new LogValue(ahead.ReadInt64());
    }

    // uint 64 (0xcf) with its highest bit set: an unsigned number that a long cannot hold.
    private static bool IsBeyondInt64(ReadOnlySpan<byte> integer) => integer[0] == 0xcf && integer[1] >= 0x80;

    private static LogValue ReadAsText(ref PacketReader reader)
    {
        // Skipping first checks the whole value and its depth, so that the recursion below has an end.
        PacketReader inside = reader;
        reader.Skip();
        var text = new StringBuilder();
        Append(text, ref inside);
        return new LogValue(text.ToString());
    }

    private static void Append(StringBuilder text, ref PacketReader reader)
    {
        int at = reader.Consumed;
        AppendValue(text, ref reader);
        if (text.Length > Longest)
        {
            throw Fragments.Wrong(at, $"a value that is at most {Fragments.Number(Longest)} characters as text", "a longer one");
        }
    }

    private static void AppendValue(StringBuilder text, ref PacketReader reader)
    {
        switch (reader.PeekKind())
        {
            case PacketValueKind.Array:
                AppendArray(text, ref reader);
                break;
            case PacketValueKind.Map when IsWrittenOut(reader):
                AppendMap(text, ref reader);
                break;
            case PacketValueKind.Map:
                text.Append(reader.ReadTableMap(MapText));
                break;
            case PacketValueKind.Binary:
                text.Append(Convert.ToBase64String(reader.ReadBin().ToArray()));
                break;
            case PacketValueKind.Extension:
                AppendExtension(text, ref reader);
                break;
            case PacketValueKind.Nil:
                reader.ReadNil();
                text.Append("null");
                break;
            default:
                text.Append(Read(ref reader).ToString());
                break;
        }
    }

    private static void AppendArray(StringBuilder text, ref PacketReader reader)
    {
        text.Append('[');
        for (int i = 0, count = reader.ReadArrayHeader(); i < count; i++)
        {
            text.Append(i == 0 ? string.Empty : ", ");
            Append(text, ref reader);
        }

        text.Append(']');
    }

    // What stands for a map of the table is an extension: 0xc7 to 0xc9, 0xd4 to 0xd8.
    private static bool IsWrittenOut(PacketReader map) => map.ReadRaw()[0] is >= 0x80 and <= 0x8f or 0xde or 0xdf;

    private static string MapText(ref PacketReader reader)
    {
        var text = new StringBuilder();
        AppendMap(text, ref reader);
        return text.ToString();
    }

    private static void AppendMap(StringBuilder text, ref PacketReader reader)
    {
        text.Append('{');
        for (int i = 0, count = reader.ReadMapHeader(); i < count; i++)
        {
            text.Append(i == 0 ? string.Empty : ", ");
            Append(text, ref reader);
            text.Append(": ");
            Append(text, ref reader);
        }

        text.Append('}');
    }

    private static void AppendExtension(StringBuilder text, ref PacketReader reader)
    {
        int at = reader.Consumed;
        PacketReader time = reader;
        ReadOnlySpan<byte> bytes = reader.ReadExt(out sbyte type);
        switch (type)
        {
            case StringRef or MapRef:
                throw Fragments.Wrong(at, "a value written out", $"a reference to a table (extension {type}) that no capability allows");
            case Timestamp:
                text.Append(time.ReadTimestamp().ToString("O", System.Globalization.CultureInfo.InvariantCulture));
                break;
            default:
                text.Append("ext ").Append(Fragments.Number(type)).Append(' ').Append(Convert.ToBase64String(bytes.ToArray()));
                break;
        }
    }
}
