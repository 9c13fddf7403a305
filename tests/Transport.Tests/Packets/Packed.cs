using System;
using System.Globalization;
using System.Text;
using NUnit.Framework;

namespace Transport.Tests.Packets;

internal delegate void WriteCall(ref PacketWriter writer);

internal delegate void ReadCall(ref PacketReader reader);

/// <summary>Bytes from the writer, bytes from hex, and the fault that reading bytes brings.</summary>
internal static class Packed
{
    public static byte[] By(WriteCall write, int pieceSize = 1 << 20)
    {
        var pieces = new Pieces(pieceSize);
        var writer = new PacketWriter(pieces);
        write(ref writer);
        writer.Flush();
        return pieces.ToArray();
    }

    public static string HexBy(WriteCall write) => Hex(By(write));

    public static string Hex(byte[] bytes)
    {
        var text = new StringBuilder(bytes.Length * 2);
        foreach (byte b in bytes)
        {
            text.Append(b.ToString("x2", CultureInfo.InvariantCulture));
        }

        return text.ToString();
    }

    public static byte[] Bytes(string hex)
    {
        hex = hex.Replace(" ", string.Empty);
        var bytes = new byte[hex.Length / 2];
        for (int i = 0; i < bytes.Length; i++)
        {
            bytes[i] = byte.Parse(hex.Substring(2 * i, 2), NumberStyles.HexNumber, CultureInfo.InvariantCulture);
        }

        return bytes;
    }

    /// <summary>Reads, and expects a PacketMalformed that leaves the reader where it stood.</summary>
    public static string FaultOf(byte[] body, ReadCall read)
    {
        var reader = new PacketReader(body);
        int before = 0;
        try
        {
            before = reader.Consumed;
            read(ref reader);
        }
        catch (TransportException e)
        {
            Assert.That(e.Fault, Is.EqualTo(TransportFault.PacketMalformed), e.Message);
            Assert.That(reader.Consumed, Is.EqualTo(before), "the reader moved although it failed");
            return e.Message;
        }

        throw new AssertionException("Expected PacketMalformed, but it was read: " + Hex(body.Length > 40 ? [] : body));
    }
}
