using System;

namespace Transport.Nats;

/// <summary>A request on its way to an agent, as the work queue has it: a MessagePack array of version, id, caller, type, name, lane,
/// whether reports are wanted, trace context or nil, body. The first three are the same in every version.</summary>
internal sealed record WorkItem
{
    /// <summary>The version of all messages of work.</summary>
    public const int Version = 1;

    private const int Fields = 9;

    /// <summary>Gets the version; if it is another than ours, only <see cref="Id"/> and <see cref="Caller"/> are known.</summary>
    public int ItsVersion { get; private init; } = Version;

    /// <summary>Gets the request's number, unlike any other.</summary>
    public required Guid Id { get; init; }

    /// <summary>Gets the caller, who hears of it at the subject of this id.</summary>
    public required Guid Caller { get; init; }

    /// <summary>Gets the packet type of the request.</summary>
    public ushort Type { get; init; }

    /// <summary>Gets the request's name for people.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary>Gets the lane of the agent's link to its worker.</summary>
    public Lane Lane { get; init; }

    /// <summary>Gets a value indicating whether the caller takes reports.</summary>
    public bool WantsProgress { get; init; }

    /// <summary>Gets the caller's span, as W3C <c>traceparent</c>; null if there is none.</summary>
    public string? Trace { get; init; }

    /// <summary>Gets the request's body.</summary>
    public byte[] Body { get; init; } = [];

    /// <summary>Reads one.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: it is none.</exception>
    public static WorkItem Read(ReadOnlySpan<byte> message)
    {
        var reader = new PacketReader(message);
        int fields = reader.ReadArrayHeader(3);
        int version = reader.ReadInt32();
        (Guid id, Guid caller) = (reader.ReadGuid(), reader.ReadGuid());
        if (version != Version)
        {
            return new WorkItem { Id = id, Caller = caller, ItsVersion = version };
        }

        int type = fields >= Fields ? reader.ReadInt32()
            : throw new TransportException(TransportFault.PacketMalformed, $"The request has {fields} fields, expected {Fields}.");
        if (type is < 0 or > ushort.MaxValue || !PacketType.IsForCallers((ushort)type))
        {
            throw new TransportException(
                TransportFault.PacketMalformed, $"The request is of type {type}; allowed are {PacketType.Allowed}.");
        }

        string name = reader.ReadRequiredString();
        int lane = reader.ReadInt32();
        return new WorkItem
        {
            Id = id,
            Caller = caller,
            Type = (ushort)type,
            Name = name.Length is > 0 and <= 256 ? TerminalText.Line(name) : $"request {type}",
            Lane = lane is >= (int)Lane.Urgent and <= (int)Lane.Bulk ? (Lane)lane : Lane.Normal,
            WantsProgress = reader.ReadBoolean(),
            Trace = reader.ReadString(),
            Body = reader.ReadBin().ToArray(),
        };
    }

    /// <summary>Writes it.</summary>
    public byte[] ToBytes()
    {
        var bytes = new ArrayWriter(Body.Length + 128);
        var writer = new PacketWriter(bytes);
        writer.WriteArrayHeader(Fields);
        writer.WriteInt(Version);
        writer.WriteGuid(Id);
        writer.WriteGuid(Caller);
        writer.WriteInt(Type);
        writer.WriteString(Name);
        writer.WriteInt((int)Lane);
        writer.WriteBoolean(WantsProgress);
        writer.WriteString(Trace);
        writer.WriteBin(Body);
        writer.Flush();
        return bytes.Written.ToArray();
    }
}
