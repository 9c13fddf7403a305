using System;

namespace Transport;

/// <summary>The bodies of Request, Answer and Cancel (PROTOCOL.md, "Requests").</summary>
internal static class RequestPackets
{
    public const int Done = 0;
    public const int Failed = 1;
    public const int Cancelled = 2;
    public const int UnknownType = 3;

    public static byte[] Request(long id, ushort type, ReadOnlySpan<byte> body, TimeSpan? deadline, string? traceParent = null)
    {
        var output = new ArrayWriter(body.Length + 32 + (traceParent?.Length ?? 0));
        var writer = new PacketWriter(output);
        writer.WriteArrayHeader(traceParent is null ? 4 : 5);
        writer.WriteInt(id);
        writer.WriteInt(type);
        writer.WriteBin(body);
        if (deadline is { } time)
        {
            writer.WriteInt((long)Math.Ceiling(time.TotalMilliseconds));
        }
        else
        {
            writer.WriteNil();
        }

        if (traceParent is not null)
        {
            writer.WriteString(traceParent);
        }

        writer.Flush();
        return output.Written.ToArray();
    }

    public static byte[] Answer(long id, int status, byte[]? body, string? message)
    {
        var output = new ArrayWriter((body?.Length ?? 0) + 64);
        var writer = new PacketWriter(output);
        writer.WriteArrayHeader(4);
        writer.WriteInt(id);
        writer.WriteInt(status);
        if (body is null)
        {
            writer.WriteNil();
        }
        else
        {
            writer.WriteBin(body);
        }

        writer.WriteString(message);
        writer.Flush();
        return output.Written.ToArray();
    }

    public static byte[] Cancel(long id)
    {
        var output = new ArrayWriter(16);
        var writer = new PacketWriter(output);
        writer.WriteArrayHeader(1);
        writer.WriteInt(id);
        writer.Flush();
        return output.Written.ToArray();
    }
}
