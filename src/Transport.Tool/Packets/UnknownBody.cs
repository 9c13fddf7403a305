using System;
using System.IO;
using System.Text.Json;
using Transport.MSBuild;

namespace Transport.Tool;

/// <summary>Writes the body of a packet whose type is not known: MessagePack says of each value what it is, but not what it is
/// called.</summary>
internal static class UnknownBody
{
    private const int Timestamp = -1;

    /// <summary>Reads a body as a whole.</summary>
    /// <param name="body">The body: one value of MessagePack.</param>
    /// <returns>What writes it.</returns>
    /// <exception cref="TransportException">It is none.</exception>
    public static Action<Utf8JsonWriter> Read(ReadOnlyMemory<byte> body)
    {
        // What cannot be written must be known before anything of it is.
        using (var nowhere = new Utf8JsonWriter(Stream.Null))
        {
            Write(nowhere);
        }

        return Write;

        void Write(Utf8JsonWriter json)
        {
            var reader = new PacketReader(body.Span);
            UnknownBody.Write(json, ref reader);
            reader.ReadEnd();
        }
    }

    private static void Write(Utf8JsonWriter json, ref PacketReader reader)
    {
        switch (reader.PeekKind())
        {
            case PacketValueKind.Nil:
                reader.ReadNil();
                json.WriteNullValue();
                break;
            case PacketValueKind.Integer:
                WriteInteger(json, ref reader);
                break;
            case PacketValueKind.Boolean:
                BuildEventJson.WriteValue(json, reader.ReadBoolean());
                break;
            case PacketValueKind.Float:
                BuildEventJson.WriteValue(json, reader.ReadDouble());
                break;
            case PacketValueKind.String:
                BuildEventJson.WriteValue(json, reader.ReadString());
                break;
            case PacketValueKind.Binary:
                BuildEventJson.WriteValue(json, reader.ReadBin().ToArray());
                break;
            case PacketValueKind.Array:
                WriteArray(json, ref reader);
                break;
            case PacketValueKind.Map:
                WriteMap(json, ref reader);
                break;
            default:
                WriteExtension(json, ref reader);
                break;
        }
    }

    private static void WriteInteger(Utf8JsonWriter json, ref PacketReader reader)
    {
        PacketReader unsigned = reader;
        try
        {
            json.WriteNumberValue(reader.ReadInt64());
        }
        catch (TransportException)
        {
            json.WriteNumberValue(unsigned.ReadUInt64());
            reader = unsigned;
        }
    }

    private static void WriteArray(Utf8JsonWriter json, ref PacketReader reader)
    {
        int count = reader.ReadArrayHeader();
        reader.EnterNested();
        json.WriteStartArray();
        for (int i = 0; i < count; i++)
        {
            Write(json, ref reader);
        }

        json.WriteEndArray();
        reader.LeaveNested();
    }

    /// <summary>An object if each key is a text, else an array of arrays of key and value.</summary>
    private static void WriteMap(Utf8JsonWriter json, ref PacketReader reader)
    {
        int count = reader.ReadMapHeader();
        reader.EnterNested();
        if (HasTextKeys(reader, count))
        {
            json.WriteStartObject();
            for (int i = 0; i < count; i++)
            {
                json.WritePropertyName(reader.ReadRequiredString());
                Write(json, ref reader);
            }

            json.WriteEndObject();
        }
        else
        {
            json.WriteStartArray();
            for (int i = 0; i < count; i++)
            {
                json.WriteStartArray();
                Write(json, ref reader);
                Write(json, ref reader);
                json.WriteEndArray();
            }

            json.WriteEndArray();
        }

        reader.LeaveNested();
    }

    private static bool HasTextKeys(PacketReader reader, int count)
    {
        for (int i = 0; i < count; i++)
        {
            if (reader.PeekKind() != PacketValueKind.String)
            {
                return false;
            }

            reader.Skip(2);
        }

        return true;
    }

    private static void WriteExtension(Utf8JsonWriter json, ref PacketReader reader)
    {
        PacketReader time = reader;
        ReadOnlySpan<byte> bytes = reader.ReadExt(out sbyte type);
        if (type == Timestamp)
        {
            json.WriteStringValue(PacketCatalog.Time(time.ReadTimestamp()));
            return;
        }

        json.WriteStartObject();
        json.WriteNumber("ext", type);
        json.WriteBase64String("base64", bytes);
        json.WriteEndObject();
    }
}
