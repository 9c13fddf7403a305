using System;

namespace Transport;

/// <summary>The fields of the control packets of an open link; a map with string keys of which unknown ones are skipped (PROTOCOL.md).</summary>
internal ref struct ControlFields
{
    private const long Absent = -1;

    /// <summary>Gets the field "packets".</summary>
    public long Packets { get; private set; }

    /// <summary>Gets the field "id".</summary>
    public long Id { get; private set; }

    /// <summary>Gets the field "level".</summary>
    public long Level { get; private set; }

    /// <summary>Gets the field "lane".</summary>
    public long Lane { get; private set; }

    /// <summary>Gets the field "queuedBytes", 0 where it is not there.</summary>
    public long QueuedBytes { get; private set; }

    /// <summary>Gets the field "oldestMs", 0 where it is not there.</summary>
    public long OldestMs { get; private set; }

    /// <summary>Gets the field "reason", empty where it is not there.</summary>
    public string Reason { get; private set; }

    /// <summary>Gets the field "refused" of Goodbye, 0 if it is missing.</summary>
    public long Refused { get; private set; }

    /// <summary>Gets the field "detail" of Goodbye as the peer wrote it, empty if it is missing.</summary>
    public string Detail { get; private set; }

    /// <summary>Gets the field "byLevel" of Dropped: packets by level 0 to 6; null where it is not there.</summary>
    public long[]? ByLevel { get; private set; }

    /// <summary>Reads a body, already known to be one valid MessagePack value.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: no map with string keys, a field of another type, or one missing.</exception>
    public static ControlFields Read(ushort type, ReadOnlySpan<byte> body)
    {
        var fields = new ControlFields { Packets = Absent, Id = Absent, Level = Absent, Lane = Absent, Reason = string.Empty, Detail = string.Empty };
        var reader = new MessagePackReader(body);
        int count = reader.ReadMapHeader();
        for (int i = 0; i < count; i++)
        {
            fields.ReadField(type, ref reader);
        }

        fields.Require(type);
        return fields;
    }

    private static long ReadCount(ref MessagePackReader reader, string name)
    {
        long value = reader.ReadInt64();
        return value >= 0 ? value : throw Malformed($"the field {name} is {value}; expected 0 or more");
    }

    /// <summary>Reads counts by level; other levels than 0 to 6 are skipped.</summary>
    private static long[]? ReadByLevel(ref MessagePackReader reader)
    {
        if (reader.TryReadNil())
        {
            return null;
        }

        long[] byLevel = new long[7];
        for (int left = reader.ReadMapHeader(); left > 0; left--)
        {
            long level = reader.ReadInt64();
            long packets = ReadCount(ref reader, "byLevel");
            if (level is >= 0 and < 7)
            {
                byLevel[level] = packets;
            }
        }

        return byLevel;
    }

    /// <summary>Adds counts of 0 or more, and stops at the largest number there is.</summary>
    private static long SumOf(long[]? counts)
    {
        long sum = 0;
        foreach (long count in counts ?? [])
        {
            sum = count > long.MaxValue - sum ? long.MaxValue : sum + count;
        }

        return sum;
    }

    private static TransportException Malformed(string what) => new(TransportFault.PacketMalformed, $"A control packet: {what}.");

    /// <summary>Reads a key and its value. What is no key of this type is skipped, even where another type has one of that name.</summary>
    private void ReadField(ushort type, ref MessagePackReader reader)
    {
        ReadOnlySpan<byte> key = reader.ReadUtf8();
        if (type is ControlType.Goodbye or ControlType.Ack or ControlType.Dropped && key.SequenceEqual("packets"u8))
        {
            Packets = ReadCount(ref reader, "packets");
        }
        else if (type is ControlType.Ping or ControlType.Pong && key.SequenceEqual("id"u8))
        {
            Id = ReadCount(ref reader, "id");
        }
        else if (type is ControlType.SetLevel && key.SequenceEqual("level"u8))
        {
            Level = ReadCount(ref reader, "level");
        }
        else if (type is ControlType.Dropped && key.SequenceEqual("lane"u8))
        {
            Lane = ReadCount(ref reader, "lane");
        }
        else if (type is ControlType.Dropped && key.SequenceEqual("byLevel"u8))
        {
            ByLevel = ReadByLevel(ref reader);
        }
        else if (type is ControlType.Ping or ControlType.Pong && key.SequenceEqual("queuedBytes"u8))
        {
            QueuedBytes = reader.TryReadNil() ? 0 : ReadCount(ref reader, "queuedBytes");
        }
        else if (type is ControlType.Ping or ControlType.Pong && key.SequenceEqual("oldestMs"u8))
        {
            OldestMs = reader.TryReadNil() ? 0 : ReadCount(ref reader, "oldestMs");
        }
        else if (type is ControlType.Goodbye && key.SequenceEqual("reason"u8))
        {
            Reason = reader.ReadString() ?? string.Empty;
        }
        else if (type is ControlType.Goodbye && key.SequenceEqual("refused"u8))
        {
            Refused = reader.TryReadNil() ? 0 : ReadCount(ref reader, "refused");
        }
        else if (type is ControlType.Goodbye && key.SequenceEqual("detail"u8))
        {
            Detail = reader.ReadString() ?? string.Empty;
        }
        else
        {
            reader.Skip();
        }
    }

    private readonly void Require(ushort type)
    {
        (string name, long value) = type switch
        {
            ControlType.Goodbye or ControlType.Ack => ("packets", Packets),
            ControlType.Ping or ControlType.Pong => ("id", Id),
            ControlType.SetLevel => ("level", Level),
            ControlType.Dropped => Lane is >= 1 and <= 3 ? ("packets", Packets) : ("lane (1 to 3)", Absent),
            _ => (string.Empty, 0),
        };
        if (value < 0)
        {
            throw Malformed($"type {type} needs the field {name}");
        }

        if (type == ControlType.Dropped && SumOf(ByLevel) > Packets)
        {
            throw Malformed($"Dropped tells of {Packets} packets, and of more by level");
        }

        if (type == ControlType.SetLevel && Level > 6)
        {
            throw Malformed($"the level is {Level}; expected 0 to 6");
        }
    }
}
