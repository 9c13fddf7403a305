using System;
using System.Collections.Generic;

namespace Transport;

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
    public static HandshakeFields Read(ushort type, ReadOnlySpan<byte> body)
    {
        MessagePackValue.Check(body);
        var fields = new HandshakeFields();
        var reader = new MessagePackReader(body);
        int count = reader.ReadMapHeader();
        for (int i = 0; i < count; i++)
        {
            fields.ReadField(type, ref reader);
        }

        fields.CheckRanges();
        return fields;
    }

    private static string Text(ref MessagePackReader reader)
    {
        string text = reader.ReadRequiredString();
        return text.Length <= MaxText ? text : throw new TransportException(TransportFault.PacketMalformed, $"A text of {text.Length} characters; expected at most {MaxText}.");
    }

    /// <summary>Reads a number; one above what 64 bits with a sign hold counts as the largest that they do.</summary>
    private static long Number(ref MessagePackReader reader)
    {
        try
        {
            return reader.ReadInt64();
        }
        catch (TransportException)
        {
            // The reader still stands before the value: a larger unsigned one, or no number.
            reader.ReadUInt64();
            return long.MaxValue;
        }
    }

    /// <summary>Reads a key and its value. What is no key of this type is skipped, even where another type has one of that name.</summary>
    private void ReadField(ushort type, ref MessagePackReader reader)
    {
        ReadOnlySpan<byte> key = reader.ReadUtf8();
        bool known = type switch
        {
            ControlType.Hello => TryReadHello(key, ref reader) || TryReadPeer(key, ref reader),
            ControlType.Welcome => TryReadWelcome(key, ref reader) || TryReadPeer(key, ref reader),
            _ => TryReadReject(key, ref reader),
        };
        if (!known)
        {
            reader.Skip();
        }
    }

    private bool TryReadHello(ReadOnlySpan<byte> key, ref MessagePackReader reader)
    {
        if (key.SequenceEqual("protocol"u8))
        {
            Protocol = Text(ref reader);
        }
        else if (key.SequenceEqual("min"u8))
        {
            Min = Number(ref reader);
        }
        else if (key.SequenceEqual("max"u8))
        {
            Max = Number(ref reader);
        }
        else if (key.SequenceEqual("secret"u8))
        {
            Secret = reader.ReadBin().ToArray();
        }
        else
        {
            return false;
        }

        return true;
    }

    private bool TryReadWelcome(ReadOnlySpan<byte> key, ref MessagePackReader reader)
    {
        if (key.SequenceEqual("version"u8))
        {
            Version = Number(ref reader);
        }
        else if (key.SequenceEqual("level"u8))
        {
            Level = reader.TryReadNil() ? null : Number(ref reader);
        }
        else
        {
            return false;
        }

        return true;
    }

    private bool TryReadReject(ReadOnlySpan<byte> key, ref MessagePackReader reader)
    {
        if (key.SequenceEqual("code"u8))
        {
            Code = reader.TryReadNil() ? null : Text(ref reader);
        }
        else if (key.SequenceEqual("message"u8))
        {
            Message = reader.TryReadNil() ? null : Text(ref reader);
        }
        else
        {
            return false;
        }

        return true;
    }

    /// <summary>What Hello and Welcome both may say; nil is the same as nothing.</summary>
    private bool TryReadPeer(ReadOnlySpan<byte> key, ref MessagePackReader reader)
    {
        if (key.SequenceEqual("node"u8))
        {
            Node = reader.TryReadNil() ? null : Text(ref reader);
        }
        else if (key.SequenceEqual("pid"u8))
        {
            ProcessId = reader.TryReadNil() ? null : Number(ref reader);
        }
        else if (key.SequenceEqual("app"u8))
        {
            App = reader.TryReadNil() ? null : Text(ref reader);
        }
        else if (key.SequenceEqual("maxPacket"u8))
        {
            MaxPacket = reader.TryReadNil() ? null : Number(ref reader);
        }
        else if (key.SequenceEqual("caps"u8))
        {
            ReadCaps(ref reader);
        }
        else
        {
            return false;
        }

        return true;
    }

    private void ReadCaps(ref MessagePackReader reader)
    {
        if (!reader.TryReadNil())
        {
            int count = reader.ReadArrayHeader();
            for (int i = 0; i < count; i++)
            {
                Caps.Add(Text(ref reader));
            }
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
