using System;
using System.Collections.Generic;
using Transport.Packets;

namespace Transport.Links;

/// <summary>The fields of Hello, Welcome and Reject as they came (PROTOCOL.md, "Handshake"). Null: not there.</summary>
internal sealed class HandshakeFields
{
    private const int MaxText = 1024;

    public string? Protocol { get; private set; }

    public long? Min { get; private set; }

    public long? Max { get; private set; }

    public byte[]? Secret { get; private set; }

    public string? Node { get; private set; }

    public long? ProcessId { get; private set; }

    public string? App { get; private set; }

    public List<string> Caps { get; } = [];

    public long? MaxPacket { get; private set; }

    public long? Version { get; private set; }

    public long? Level { get; private set; }

    public string? Code { get; private set; }

    public string? Message { get; private set; }

    /// <summary>Reads a body.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: not one map with string keys, a field of another type or out of its range.</exception>
    public static HandshakeFields Read(ReadOnlySpan<byte> body)
    {
        MessagePackValue.Check(body);
        var fields = new HandshakeFields();
        var reader = new MessagePackReader(body);
        int count = reader.ReadMapHeader();
        for (int i = 0; i < count; i++)
        {
            fields.ReadField(ref reader);
        }

        fields.CheckRanges();
        return fields;
    }

    private static string Text(ref MessagePackReader reader)
    {
        string text = reader.ReadRequiredString();
        return text.Length <= MaxText ? text : throw new TransportException(TransportFault.PacketMalformed, $"A text of {text.Length} characters; expected at most {MaxText}.");
    }

    private void ReadField(ref MessagePackReader reader)
    {
        ReadOnlySpan<byte> key = reader.ReadUtf8();
        if (key.SequenceEqual("protocol"u8))
        {
            Protocol = Text(ref reader);
        }
        else if (key.SequenceEqual("min"u8))
        {
            Min = reader.ReadInt64();
        }
        else if (key.SequenceEqual("max"u8))
        {
            Max = reader.ReadInt64();
        }
        else if (key.SequenceEqual("secret"u8))
        {
            Secret = reader.ReadBin().ToArray();
        }
        else if (key.SequenceEqual("version"u8))
        {
            Version = reader.ReadInt64();
        }
        else
        {
            ReadOptional(key, ref reader);
        }
    }

    private void ReadOptional(ReadOnlySpan<byte> key, ref MessagePackReader reader)
    {
        if (reader.TryReadNil())
        {
            return;
        }

        if (key.SequenceEqual("node"u8))
        {
            Node = Text(ref reader);
        }
        else if (key.SequenceEqual("pid"u8))
        {
            ProcessId = reader.ReadInt64();
        }
        else if (key.SequenceEqual("app"u8))
        {
            App = Text(ref reader);
        }
        else if (key.SequenceEqual("caps"u8))
        {
            int count = reader.ReadArrayHeader();
            for (int i = 0; i < count; i++)
            {
                Caps.Add(Text(ref reader));
            }
        }
        else if (key.SequenceEqual("maxPacket"u8))
        {
            MaxPacket = reader.ReadInt64();
        }
        else if (key.SequenceEqual("level"u8))
        {
            Level = reader.ReadInt64();
        }
        else if (key.SequenceEqual("code"u8))
        {
            Code = Text(ref reader);
        }
        else if (key.SequenceEqual("message"u8))
        {
            Message = Text(ref reader);
        }
        else
        {
            reader.Skip();
        }
    }

    private void CheckRanges()
    {
        Check(Node is null || NodeName.IsValid(Node), "node is 1 to 64 characters of A-Z a-z 0-9 . _ -");
        Check(Secret is null || Secret.Length == LinkSecret.Length, $"secret has {LinkSecret.Length} bytes");
        Check(MaxPacket is null or >= 64 << 10, "maxPacket is at least 65536");
        Check(Level is null or (>= 0 and <= 6), "level is 0 to 6");
        Check(Caps.Count <= 256, "caps names at most 256 words");
    }

    private static void Check(bool sound, string rule)
    {
        if (!sound)
        {
            throw new TransportException(TransportFault.PacketMalformed, $"A handshake packet: expected that {rule}.");
        }
    }
}
