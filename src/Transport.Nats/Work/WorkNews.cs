using System;
using System.Collections.Generic;

namespace Transport.Nats;

/// <summary>What an agent says to a caller, and a caller to an agent.</summary>
internal enum WorkNewsKind
{
    /// <summary>Agent: it has the request. A caller that is asked answers <see cref="WorkReply"/>.</summary>
    Begun = 1,

    /// <summary>Agent: a report of the request's handler.</summary>
    Progress = 2,

    /// <summary>Agent: the response or failure, or a part of it. The caller answers the last part with <see cref="WorkReply"/>.</summary>
    Answer = 3,

    /// <summary>Agent: it has these requests. The caller answers with those of them that it does not want any more.</summary>
    Has = 4,

    /// <summary>Caller: nobody wants the request any more.</summary>
    Cancel = 5,
}

/// <summary>What a caller says to a message about one request.</summary>
internal enum WorkReply
{
    /// <summary>The request is wanted; the answer was taken.</summary>
    Yes = 1,

    /// <summary>Nobody waits for it, or it is answered.</summary>
    Unwanted = 2,

    /// <summary>A part of the answer is missing: all of it once more.</summary>
    Again = 3,
}

/// <summary>How a request ended at its agent.</summary>
/// <param name="Fault">The fault; None: there is a response.</param>
/// <param name="Message">What went wrong; empty if nothing did.</param>
/// <param name="Report">The exit report of the worker that had it; null: it did not exit.</param>
/// <param name="Body">The response.</param>
internal sealed record WorkOutcome(TransportFault Fault, string Message, string? Report, byte[] Body)
{
    /// <summary>Makes a failure.</summary>
    public static WorkOutcome Failed(TransportFault fault, string message, string? report = null) => new(fault, message, report, []);
}

/// <summary>One message between an agent and a caller: a MessagePack array of version, kind, id of the request, the agent's id and name,
/// and what the kind has. The first two are the same in every version.</summary>
internal sealed record WorkNews
{
    private const int Fields = 9, BytesOfId = 18;

    /// <summary>Gets the version; if it is another than ours, nothing else is known.</summary>
    public int ItsVersion { get; private init; } = WorkItem.Version;

    public required WorkNewsKind Kind { get; init; }

    /// <summary>Gets the request; empty for <see cref="WorkNewsKind.Has"/>.</summary>
    public Guid Id { get; init; }

    /// <summary>Gets the agent's id, the subject at which it hears of cancels.</summary>
    public Guid Agent { get; init; }

    /// <summary>Gets the agent's name for people.</summary>
    public string Name { get; init; } = string.Empty;

    /// <summary>Gets the number of this part of an answer, from 0.</summary>
    public int Part { get; init; }

    /// <summary>Gets how many parts the answer has.</summary>
    public int Parts { get; init; } = 1;

    /// <summary>Gets how the request ended (first part of an answer); null otherwise.</summary>
    public WorkOutcome? Outcome { get; init; }

    /// <summary>Gets the bytes of a report or of a part, or the ids of <see cref="WorkNewsKind.Has"/>.</summary>
    public byte[] Body { get; init; } = [];

    /// <summary>Reads one.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>: it is none.</exception>
    public static WorkNews Read(ReadOnlySpan<byte> message)
    {
        var reader = new PacketReader(message);
        int fields = reader.ReadArrayHeader(2);
        int version = reader.ReadInt32();
        var kind = (WorkNewsKind)reader.ReadInt32();
        if (version != WorkItem.Version)
        {
            return new WorkNews { Kind = kind, ItsVersion = version };
        }

        if (fields < Fields)
        {
            throw new TransportException(TransportFault.PacketMalformed, $"The message has {fields} fields, expected {Fields}.");
        }

        (Guid id, Guid agent, string name) = (reader.ReadGuid(), reader.ReadGuid(), reader.ReadRequiredString());
        (int part, int parts) = (reader.ReadInt32(), reader.ReadInt32());
        WorkOutcome? outcome = reader.TryReadNil() ? null : ReadOutcome(ref reader);
        return new WorkNews
        {
            Kind = kind, Id = id, Agent = agent, Name = TerminalText.Line(name, 64), Part = part, Parts = parts, Outcome = outcome,
            Body = reader.ReadBin().ToArray(),
        };
    }

    /// <summary>Writes ids.</summary>
    public static byte[] BodyOf(IReadOnlyCollection<Guid> ids)
    {
        var bytes = new ArrayWriter();
        var writer = new PacketWriter(bytes);
        writer.WriteArrayHeader(ids.Count);
        foreach (Guid id in ids)
        {
            writer.WriteGuid(id);
        }

        writer.Flush();
        return bytes.Written.ToArray();
    }

    /// <summary>Reads ids.</summary>
    /// <exception cref="TransportException"><see cref="TransportFault.PacketMalformed"/>.</exception>
    public static Guid[] IdsOf(ReadOnlySpan<byte> body)
    {
        var reader = new PacketReader(body);
        int count = reader.ReadArrayHeader();
        if (count > body.Length / BytesOfId)
        {
            throw new TransportException(TransportFault.PacketMalformed, $"The message claims {count} ids in {body.Length} bytes.");
        }

        var ids = new Guid[count];
        for (int i = 0; i < ids.Length; i++)
        {
            ids[i] = reader.ReadGuid();
        }

        return ids;
    }

    /// <summary>Writes it.</summary>
    public byte[] ToBytes()
    {
        var bytes = new ArrayWriter(Body.Length + 128);
        var writer = new PacketWriter(bytes);
        writer.WriteArrayHeader(Fields);
        writer.WriteInt(WorkItem.Version);
        writer.WriteInt((int)Kind);
        writer.WriteGuid(Id);
        writer.WriteGuid(Agent);
        writer.WriteString(Name);
        writer.WriteInt(Part);
        writer.WriteInt(Parts);
        Write(ref writer, Outcome);
        writer.WriteBin(Body);
        writer.Flush();
        return bytes.Written.ToArray();
    }

    private static void Write(ref PacketWriter writer, WorkOutcome? outcome)
    {
        if (outcome is null)
        {
            writer.WriteNil();
            return;
        }

        writer.WriteArrayHeader(3);
        writer.WriteString(outcome.Fault.ToString());
        writer.WriteString(outcome.Message);
        writer.WriteString(outcome.Report);
    }

    private static WorkOutcome ReadOutcome(ref PacketReader reader)
    {
        int fields = reader.ReadArrayHeader(3);
        string name = reader.ReadRequiredString();
        var outcome = new WorkOutcome(
            Enum.TryParse(name, out TransportFault fault) && Enum.IsDefined(fault) ? fault : TransportFault.RequestFailed,
            reader.ReadRequiredString(), reader.ReadString(), []);
        reader.Skip(fields - 3);
        return outcome;
    }
}
