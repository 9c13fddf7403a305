using System;
using System.Collections.Generic;

namespace Transport.Fuzz.Targets;

/// <summary>Reads one value token by token with the public reader, and writes what was read.</summary>
internal static class Transcript
{
    /// <exception cref="TransportException">The input is not exactly one value that can be read.</exception>
    public static byte[] Of(byte[] input)
    {
        var output = new ArrayWriter(input.Length + 16);
        var writer = new PacketWriter(output);
        var reader = new PacketReader(input);
        Copy(ref reader, ref writer, depth: 0);
        reader.ReadEnd();
        writer.Flush();
        return output.Written.ToArray();
    }

    private static void Copy(ref PacketReader reader, ref PacketWriter writer, int depth)
    {
        int before = reader.Consumed;
        switch (reader.PeekKind())
        {
            case PacketValueKind.Nil:
                reader.ReadNil();
                writer.WriteNil();
                break;
            case PacketValueKind.Boolean:
                writer.WriteBoolean(reader.ReadBoolean());
                break;
            case PacketValueKind.Integer:
                CopyInteger(ref reader, ref writer);
                break;
            case PacketValueKind.Float:
                writer.WriteDouble(reader.ReadDouble());
                break;
            case PacketValueKind.String:
                writer.WriteString(reader.ReadRequiredString());
                break;
            case PacketValueKind.Binary:
                writer.WriteBin(reader.ReadBin());
                break;
            case PacketValueKind.Extension:
                ReadOnlySpan<byte> bytes = reader.ReadExt(out sbyte type);
                writer.WriteExt(type, bytes);
                break;
            default:
                CopyContainer(ref reader, ref writer, depth);
                break;
        }

        FuzzFailure.Unless(reader.Consumed > before, "a value of no bytes was read");
    }

    private static void CopyContainer(ref PacketReader reader, ref PacketWriter writer, int depth)
    {
        // The reader itself does not count how deep it is: who reads recursively asks the check first. This does both at once.
        if (depth >= MessagePackValue.MaxDepth)
        {
            throw new TransportException(TransportFault.PacketMalformed, "values nested too deep");
        }

        int left;
        if (reader.PeekKind() == PacketValueKind.Map)
        {
            left = reader.ReadMapHeader();
            writer.WriteMapHeader(left);
            left *= 2;
        }
        else
        {
            left = reader.ReadArrayHeader();
            writer.WriteArrayHeader(left);
        }

        for (; left > 0; left--)
        {
            Copy(ref reader, ref writer, depth + 1);
        }
    }

    private static void CopyInteger(ref PacketReader reader, ref PacketWriter writer)
    {
        PacketReader ahead = reader;
        long number;
        try
        {
            number = ahead.ReadInt64();
        }
        catch (TransportException)
        {
            writer.WriteUInt(reader.ReadUInt64());
            return;
        }

        reader = ahead;
        writer.WriteInt(number);
    }
}
