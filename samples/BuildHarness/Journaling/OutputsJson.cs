using System.Buffers;
using BuildHarness.Packets;

namespace BuildHarness.Journaling;

/// <summary>The packets of collected outputs as names and values.</summary>
internal static class OutputsJson
{
    /// <returns>The fields, or null if it is no such packet.</returns>
    /// <exception cref="Transport.TransportException">The body has another shape.</exception>
    public static (string Name, object? Value)[]? Of(int type, ReadOnlySequence<byte> body)
    {
        if (type == OutputFileBegin.PacketType.Id)
        {
            OutputFileBegin begin = OutputFileBegin.PacketType.Formatter.Read(body);
            return [("project", (long)begin.Project), ("path", begin.Path), ("mode", (long)begin.Mode), ("seconds", begin.Seconds),
                ("nanoseconds", (long)begin.Nanoseconds)];
        }

        if (type == OutputFileBytes.PacketType.Id)
        {
            return [("bytes", OutputFileBytes.PacketType.Formatter.Read(body).Bytes.ToArray())];
        }

        if (type == OutputFileEnd.PacketType.Id)
        {
            OutputFileEnd end = OutputFileEnd.PacketType.Formatter.Read(body);
            return [("bytes", end.Bytes), ("sha256", end.Sha256.ToArray())];
        }

        if (type == OutputsEnd.PacketType.Id)
        {
            OutputsEnd end = OutputsEnd.PacketType.Formatter.Read(body);
            return [("project", (long)end.Project), ("files", end.Files), ("bytes", end.Bytes), ("error", end.Error)];
        }

        return null;
    }
}
